/* The walk over a parsed page in C: the same blocks as page/block_builder.py, which is the reference.
 *
 * There is no parser in here. lexbor is inside selectolax's extension module, which exports its C interface; `connect`
 * looks the symbols up in the loaded library, and page/compiled_core.py checks that a small tree reads the same.
 *
 * Names follow block_builder.py, text_run.py, inline_spacing.py and open_elements.py; the reasons are there. Nodes that
 * few pages have (formulas, superscripts, attributes beyond ASCII) are passed to the Python functions. Text is UTF-8, as
 * in the tree. The walk has no recursion, and its memory is linear in the page.
 */

#include "_tree.h"
#include "../text/_json.h"
#include "../text/_listed_words.h"
#include "markup/_marks.h"
#include "_builder.h"
#include "_spacing.h"
#include "_objects.h"
#include "_runs.h"
#include "markup/_spans.h"
#include "_rare_nodes.h"
#include "_raised_text.h"
#include "_math_text.h"
#include "_open_elements.h"
#include "_blocks.h"
#include "_linked_data.h"
#include "_elements.h"
#include "markup/_figures.h"
#include "markup/_markup.h"
#include "_walk.h"

/* ---- the result */

static PyObject *list_of_blocks(const builder_t *builder)
{
    PyObject *out = PyList_New((Py_ssize_t)builder->block_count);

    for (size_t at = 0; out && at < builder->block_count; at++) {
        const block_t *own = &builder->blocks[at];
        PyObject *block = dict_of_block(builder, own);
        if (block) PyList_SET_ITEM(out, (Py_ssize_t)at, block);
        else Py_CLEAR(out);
    }
    return out;
}

static void free_builder(builder_t *builder)
{
    while (builder->run_count > 0) close_run(builder);
    while (builder->open_block_count > 0) close_block(builder);
    drop_blocks(builder, 0);
    free_paths(builder);
    PyMem_RawFree(builder->texts.data);
    PyMem_RawFree(builder->path.data);
    PyMem_RawFree(builder->blocks);
    PyMem_RawFree(builder->open);
    PyMem_RawFree(builder->open_blocks);
    PyMem_RawFree(builder->runs);
    PyMem_RawFree(builder->serials.items);
    PyMem_RawFree(builder->lists);
    PyMem_RawFree(builder->rows);
}

PyDoc_STRVAR(blocks_doc, "blocks(root, node_at, holders, most)\n--\n\n"
"The blocks below the node with the address *root*. *node_at* returns the Python node at an address. A list *holders*\n"
"gets (position, path, name, address) of each element that may hold hidden content. Raises UnicodeDecodeError for a text that\n"
"is not UTF-8, and OverflowError for more than *most* blocks.");

static bool is_ready(void)
{
    if (lexbor.element_name != NULL && python.hiding_of != NULL) return true;
    PyErr_SetString(PyExc_RuntimeError, "connect and setup have not been called");
    return false;
}

/* Gives back what blocks and texts do not use of their memory. */
static void trim(builder_t *builder)
{
    block_t *blocks = PyMem_RawRealloc(builder->blocks, (builder->block_count + 1) * sizeof *blocks);
    char *texts = PyMem_RawRealloc(builder->texts.data, builder->texts.length + 1);

    if (blocks) {
        builder->blocks = blocks;
        builder->block_capacity = builder->block_count + 1;
    }
    if (texts) {
        builder->texts.data = texts;
        builder->texts.capacity = builder->texts.length + 1;
    }
}

/* Reads the page below *root*. Returns -1 with an exception. */
static int build(builder_t *builder, node_t *root)
{
    enum { FEW_BLOCKS = 30000, MANY_BLOCKS = 10000000 };
    size_t most = (size_t)builder->max_blocks;
    bool is_large = most > FEW_BLOCKS && most < MANY_BLOCKS;

    /* memory: of a large page, so that blocks are not copied as they get more; what is not used is not taken */
    if (is_large &&
        reserve((void **)&builder->blocks, 0, &builder->block_capacity, most * 2 / 3, sizeof *builder->blocks) < 0) return -1;
    builder->breaks = (int)python.paragraph_break;
    if (open_run(builder) < 0 || open_block(builder, NULL, &UNKNOWN_TAG, NULL, SHOWN) < 0) return -1;
    if (walk(builder, root) < 0) return -1;
    if (is_large) trim(builder);
    return 0;
}

/* What *result* makes of the page that is read with these arguments. */
static PyObject *read_page(PyObject *args, PyObject *(*result)(const builder_t *))
{
    unsigned long long root;
    builder_t builder = {0};
    PyObject *out = NULL;

    if (!PyArg_ParseTuple(args, "KOOn", &root, &builder.node_at, &builder.holders, &builder.max_blocks) || !is_ready())
        return NULL;
    if (build(&builder, (node_t *)(uintptr_t)root) == 0) out = result(&builder);
    free_builder(&builder);
    return out;
}

static PyObject *core_blocks(PyObject *module, PyObject *args)
{
    return read_page(args, list_of_blocks);
}

PyDoc_STRVAR(find_holders_doc, "find_holders(root, node_at, holders, most)\n--\n\n"
"As `blocks`, for the holders alone. Returns None.");

static PyObject *no_blocks(const builder_t *builder)
{
    Py_RETURN_NONE;
}

static PyObject *core_find_holders(PyObject *module, PyObject *args)
{
    return read_page(args, no_blocks);
}

PyDoc_STRVAR(marked_blocks_doc, "marked_blocks(root, node_at, holders, links, items, details, most)\n--\n\n"
"As `blocks`, with markup: a list, and whether an image beside a block is a formula. *links* resolves addresses, *items*\n"
"has the numbers of items. *details*: dicts by address of the entries of spans, of fields, and of fields of the next block.");

static PyObject *capsule_of_blocks(builder_t *builder);

/* The blocks of a page with markup: a list, and whether an image is a formula, or *as_capsule*. */
static PyObject *read_marked(PyObject *args, bool as_capsule)
{
    unsigned long long root;
    builder_t builder = {0};
    page_t page = {0};
    PyObject *out = NULL, *links, *items, *details;
    int is_condensed = false;

    if (!PyArg_ParseTuple(args, "KOOOOO!n|p", &root, &builder.node_at, &builder.holders, &links, &items, &PyTuple_Type,
                          &details, &builder.max_blocks, &is_condensed) || !is_ready()) return NULL;
    builder.page = &page;
    builder.has_few_holders = is_condensed;
    if (!markup.is_ready) PyErr_SetString(PyExc_RuntimeError, "setup_markup has not been called");
    else if (open_page(&page, links, items, details) == 0 && build(&builder, (node_t *)(uintptr_t)root) == 0 &&
             attach_figures(&builder, builder.block_count, false) == 0) {
        if (as_capsule && page.has_other_images) out = Py_NewRef(Py_None);
        else if (as_capsule) out = place_formulas(&builder) < 0 ? NULL : capsule_of_blocks(&builder);
        else if ((out = list_of_blocks(&builder)) != NULL)
            out = Py_BuildValue("(NO)", out, page.has_formula_images ? Py_True : Py_False);
    }
    free_builder(&builder);
    close_page(&page);
    return out;
}

static PyObject *core_marked_blocks(PyObject *module, PyObject *args)
{
    return read_marked(args, false);
}

#include "_capsule.h"
#include "_survey.h"

PyDoc_STRVAR(text_doc, "text(node)\n--\n\nThe text of all nodes below an address.");

static PyObject *core_text(PyObject *module, PyObject *args)
{
    unsigned long long address;

    return PyArg_ParseTuple(args, "K", &address) ? text_below((node_t *)(uintptr_t)address) : NULL;
}

static unsigned append_html(const unsigned char *data, size_t length, void *to)
{
    return append_bytes(to, (const char *)data, length) < 0; /* 0 is success */
}

PyDoc_STRVAR(html_doc, "html(node)\n--\n\nThe HTML of the node with an address; None if the library fails.");

static PyObject *core_html(PyObject *module, PyObject *args)
{
    unsigned long long address;
    buffer_t html = {0};
    PyObject *out = NULL;

    if (!PyArg_ParseTuple(args, "K", &address)) return NULL;
    if (lexbor.serialize((node_t *)(uintptr_t)address, append_html, &html) == 0) out = decode(html.length ? html.data : "", html.length);
    else if (!PyErr_Occurred()) out = Py_NewRef(Py_None);
    PyMem_RawFree(html.data);
    return out;
}

PyDoc_STRVAR(attributes_doc, "attributes(element)\n--\n\nThe attributes of the element with an address.");

static PyObject *core_attributes(PyObject *module, PyObject *args)
{
    unsigned long long address;

    return PyArg_ParseTuple(args, "K", &address) ? dict_of_attributes((node_t *)(uintptr_t)address) : NULL;
}

PyDoc_STRVAR(values_doc, "values(elements, name)\n--\n\nThe value of an attribute of each element with one of these addresses; None without.");

static PyObject *core_values(PyObject *module, PyObject *args)
{
    PyObject *addresses, *out;
    const char *name;

    if (!PyArg_ParseTuple(args, "O!s", &PyList_Type, &addresses, &name)) return NULL;
    if ((out = PyList_New(PyList_GET_SIZE(addresses))) == NULL) return NULL;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(addresses); at++) {
        unsigned long long address = PyLong_AsUnsignedLongLong(PyList_GET_ITEM(addresses, at));
        PyObject *value = PyErr_Occurred() ? NULL : string_or_none(attribute_of((node_t *)(uintptr_t)address, name));
        if (value == NULL) {
            Py_DECREF(out);
            return NULL;
        }
        PyList_SET_ITEM(out, at, value);
    }
    return out;
}

#include "_parser_memory.h"
#include "_library.h"
#include "_cut_texts.h"
#include "_setup.h"
#include "_search.h"
#include "metadata/_element_reading.h"
#include "metadata/_skimmed_json.h"
#include "metadata/_linked_metadata.h"
#include "metadata/_meta_tags.h"
#include "metadata/_telling_names.h"
#include "metadata/_own_elements.h"
#include "metadata/_page_elements.h"
#include "metadata/_page_sources.h"
#include "metadata/_titles.h"
#include "metadata/_site_names.h"
#include "metadata/_headline.h"
#include "metadata/_page_fields.h"
#include "markup/_mathml_tex.h"
#include "markup/_tables.h"
#include "markup/_code.h"
#include "markup/_code_blocks.h"
#include "markup/_notes.h"
#include "_limits.h"
#include "_outline.h"
#include "_deep_markup.h"
#include "_scan.h"
#include "_tag_names.h"
#include "_tag_counts.h"
#include "_condense.h"
#include "_page_lines.h"
#include "_visible_text.h"
#include "_broken_text.h"
#include "_hydration.h"
#include "_like_libxml2.h"
#include "_paragraphs.h"
#include "metadata/_author_names.h"
#include "metadata/_days.h"
#include "metadata/_usual_metadata.h"

static PyMethodDef methods[] = {
    {"setup", core_setup, METH_VARARGS, setup_doc},
    {"setup_markup", core_setup_markup, METH_VARARGS, setup_markup_doc},
    {"connect", core_connect, METH_VARARGS, connect_doc},
    {"nodes", core_nodes, METH_VARARGS, nodes_doc},
    {"survey", core_survey, METH_VARARGS, survey_doc},
    {"head_survey", core_head_survey, METH_VARARGS, head_survey_doc},
    {"selectors", core_selectors, METH_O, selectors_doc},
    {"present", core_present, METH_VARARGS, present_doc},
    {"search", core_search, METH_VARARGS, search_doc},
    {"learn_nodes", core_learn_nodes, METH_VARARGS, learn_nodes_doc},
    {"found_nodes", core_found_nodes, METH_VARARGS, found_nodes_doc},
    {"tables", core_tables, METH_VARARGS, tables_doc},
    {"code_text", core_code_text, METH_VARARGS, code_text_doc},
    {"code_candidates", core_code_candidates, METH_VARARGS, code_candidates_doc},
    {"text_chars", core_text_chars, METH_VARARGS, text_chars_doc},
    {"is_in", core_is_in, METH_VARARGS, is_in_doc},
    {"linked_notes", core_linked_notes, METH_VARARGS, linked_notes_doc},
    {"heading", core_heading, METH_VARARGS, heading_doc},
    {"names_around", core_names_around, METH_VARARGS, names_around_doc},
    {"linked_metadata", core_linked_metadata, METH_VARARGS, linked_metadata_doc},
    {"setup_linked_metadata", core_setup_linked_metadata, METH_VARARGS, setup_linked_metadata_doc},
    {"page_sources", core_page_sources, METH_VARARGS, page_sources_doc},
    {"setup_sources", core_setup_sources, METH_VARARGS, setup_sources_doc},
    {"bylines", core_bylines, METH_VARARGS, bylines_doc},
    {"setup_elements", core_setup_elements, METH_VARARGS, setup_elements_doc},
    {"setup_tags", core_setup_tags, METH_VARARGS, setup_tags_doc},
    {"statements_by_field", core_statements_by_field, METH_O, statements_by_field_doc},
    {"lines", core_lines, METH_O, lines_doc},
    {"title_key", core_title_key, METH_O, title_key_doc},
    {"page_fields", core_page_fields, METH_VARARGS, page_fields_doc},
    {"setup_fields", core_setup_fields, METH_VARARGS, setup_fields_doc},
    {"usual_metadata", core_usual_metadata, METH_VARARGS, usual_metadata_doc},
    {"setup_usual", core_setup_usual, METH_VARARGS, setup_usual_doc},
    {"headline", core_headline, METH_VARARGS, headline_doc},
    {"setup_titles", core_setup_titles, METH_VARARGS, setup_titles_doc},
    {"title_separators", core_title_separators, METH_O, title_separators_doc},
    {"host_and_path", core_host_and_path, METH_O, host_and_path_doc},
    {"found_head_survey", core_found_head_survey, METH_VARARGS, found_head_survey_doc},
    {"found_survey", core_found_survey, METH_VARARGS, found_survey_doc},
    {"return_memory", core_return_memory, METH_O, return_memory_doc},
    {"limit_parser", core_limit_parser, METH_O, limit_parser_doc},
    {"scan", core_scan, METH_VARARGS, scan_doc},
    {"condense", core_condense, METH_VARARGS, condense_doc},
    {"tag_counts", core_tag_counts, METH_O, tag_counts_doc},
    {"comparison_key", core_comparison_key, METH_O, comparison_key_doc},
    {"text_index", core_text_index, METH_NOARGS, text_index_doc},
    {"contains", core_contains, METH_VARARGS, contains_doc},
    {"add_missing", core_add_missing, METH_VARARGS, add_missing_doc},
    {"surely_shows", core_surely_shows, METH_VARARGS, surely_shows_doc},
    {"collect_prose", core_collect_prose, METH_VARARGS, collect_prose_doc},
    {"has_sentences", core_has_sentences, METH_VARARGS, has_sentences_doc},
    {"page_of_line", core_page_of_line, METH_O, page_of_line_doc},
    {"setup_linked_data", core_setup_linked_data, METH_VARARGS, setup_linked_data_doc},
    {"may_have_content", core_may_have_content, METH_O, may_have_content_doc},
    {"may_script_have_content", core_may_script_have_content, METH_VARARGS, may_script_have_content_doc},
    {"linked_data_of_head", core_linked_data_of_head, METH_VARARGS, linked_data_of_head_doc},
    {"values", core_values, METH_VARARGS, values_doc},
    {"has_special", core_has_special, METH_VARARGS, has_special_doc},
    {"may_have_many_names", core_may_have_many_names, METH_VARARGS, may_have_many_names_doc},
    {"next_tag", core_next_tag, METH_VARARGS, next_tag_doc},
    {"may_have_tags", core_may_have_tags, METH_VARARGS, may_have_tags_doc},
    {"outline", core_outline, METH_O, outline_doc},
    {"without", core_without, METH_VARARGS, without_doc},
    {"limit_depth", core_limit_depth, METH_VARARGS, limit_depth_doc},
    {"whole_tag", core_whole_tag, METH_VARARGS, whole_tag_doc},
    {"break_text", core_break_text, METH_VARARGS, break_text_doc},
    {"may_break_text", core_may_break_text, METH_VARARGS, may_break_text_doc},
    {"may_copy_formatting", core_may_copy_formatting, METH_VARARGS, may_copy_formatting_doc},
    {"may_leave_open", core_may_leave_open, METH_VARARGS, may_leave_open_doc},
    {"setup_tex", core_setup_tex, METH_VARARGS, setup_tex_doc},
    {"tex_of_mathml", core_tex_of_mathml, METH_VARARGS, tex_of_mathml_doc},
    {"elements_from", core_elements_from, METH_VARARGS, elements_from_doc},
    {"math_text", core_math_text, METH_VARARGS, math_text_doc},
    {"raised_text", core_raised_text, METH_VARARGS, raised_text_doc},
    {"text", core_text, METH_VARARGS, text_doc},
    {"html", core_html, METH_VARARGS, html_doc},
    {"attributes", core_attributes, METH_VARARGS, attributes_doc},
    {"blocks", core_blocks, METH_VARARGS, blocks_doc},
    {"find_holders", core_find_holders, METH_VARARGS, find_holders_doc},
    {"columns", core_columns, METH_VARARGS, columns_doc},
    {"has_little_text", core_has_little_text, METH_VARARGS, has_little_text_doc},
    {"column_text", core_column_text, METH_VARARGS, column_text_doc},
    {"column_state", core_column_state, METH_VARARGS, column_state_doc},
    {"column_noscript", core_column_noscript, METH_VARARGS, column_noscript_doc},
    {"without_code_and_head", core_without_code_and_head, METH_O, without_code_and_head_doc},
    {"with_xml_tags", core_with_xml_tags, METH_O, with_xml_tags_doc},
    {"setup_paragraphs", core_setup_paragraphs, METH_VARARGS, setup_paragraphs_doc},
    {"paragraphs", core_paragraphs, METH_VARARGS, paragraphs_doc},
    {"paragraph_dicts", core_paragraph_dicts, METH_O, paragraph_dicts_doc},
    {"marked_columns", core_marked_columns, METH_VARARGS, marked_columns_doc},
    {"marked_blocks", core_marked_blocks, METH_VARARGS, marked_blocks_doc},
    {"setup_author_names", core_setup_author_names, METH_VARARGS, setup_author_names_doc},
    {"setup_days", core_setup_days, METH_VARARGS, setup_days_doc},
    {"first_day", core_first_day, METH_VARARGS, first_day_doc},
    {"day_spans", core_day_spans, METH_O, day_spans_doc},
    {"author_names", core_author_names, METH_VARARGS, author_names_doc},
    {"organization_name", core_organization_name, METH_O, organization_name_doc},
    {"is_byline", core_is_byline, METH_O, is_byline_doc},
    {"is_role", core_is_role, METH_O, is_role_doc},
    {"inverted_name", core_inverted_name, METH_O, inverted_name_doc},
    {"is_full_name", core_is_full_name, METH_O, is_full_name_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "ncfilters.page._core", "The walk over a parsed page, compiled.", -1, methods, NULL, NULL, NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__core(void)
{
    fill_raised_signs();
    return PyModule_Create(&definition);
}
