/* The cells of a table, and what says whether it holds data: as table_grid.py. `_core.c` includes it. */

enum { MAX_TABLE_COLUMNS = 1000, MAX_SPAN_DIGITS = 9 };

/* What a table has. The sizes are those of the texts of cells, in characters; they are not read where it has headers,
 * others of its own elements, or a table in it. */
typedef struct {
    buffer_t cells; /* of placed_cell_t */
    unsigned number;
    size_t max_rows, columns, rows, num_cells;
    bool has_header, has_own, has_table, has_page_content;
    size_t longest, longest_label, chars;
    bool is_unusual; /* a span beyond ASCII */
} table_t;

/* Columns that a cell reaches down to, until a row begins: the next ones with the same row are linked. */
typedef struct {
    size_t start, width, next;
} reach_t;

typedef struct {
    bool taken[MAX_TABLE_COLUMNS];
    size_t *first_reach; /* by row; 0 for none */
    size_t row_count;
    reach_t *reaches; /* from 1 on */
    size_t reach_count, capacity;
} group_t;

static node_t *next_element(node_t *node)
{
    while (node && node->type != ELEMENT_NODE) node = node->next;
    return node;
}

#define EACH_CHILD(child, node) (node_t *child = next_element((node)->first_child); child; child = next_element(child->next))

static bool is_cell(node_t *node)
{
    return has_name(node, "td") || has_name(node, "th");
}

/* The number that the value of a span begins with; 1 if there is none. */
static size_t read_span(table_t *table, attribute_t own)
{
    size_t at = 0, number = 0, digits = 0;

    if (own.value == NULL) return 1;
    if (!is_ascii(own.value, own.length)) table->is_unusual = true;
    while (at < own.length && (unsigned char)own.value[at] < 0x80 && SPACES[(unsigned char)own.value[at]]) at++;
    at += at < own.length && own.value[at] == '+';
    for (; at < own.length && digits < MAX_SPAN_DIGITS && Py_ISDIGIT(own.value[at]); at++, digits++)
        number = number * 10 + (size_t)(own.value[at] - '0');
    if (digits == 0) return 1;
    return number < table->max_rows ? number : table->max_rows;
}

static bool is_value(attribute_t own, const char *wanted)
{
    return own.length == strlen(wanted) && own.value && memcmp(own.value, wanted, own.length) == 0;
}

static bool has_header_role(node_t *cell)
{
    attribute_t role = attribute_of(cell, "role");

    return is_value(role, "columnheader") || is_value(role, "rowheader");
}

static bool is_header_cell(node_t *cell)
{
    return has_name(cell, "th") || has_header_role(cell) || attribute_of(cell, "scope").exists ||
           attribute_of(cell, "headers").exists || attribute_of(cell, "abbr").exists;
}

/* Takes columns for a cell that is higher than its row. */
static int add_reach(group_t *group, size_t column, size_t width, size_t end)
{
    if (group->reach_count == 0) group->reach_count = 1;
    if (reserve((void **)&group->reaches, group->reach_count, &group->capacity, 1, sizeof *group->reaches) < 0) return -1;
    group->reaches[group->reach_count] = (reach_t){column, width, group->first_reach[end]};
    group->first_reach[end] = group->reach_count++;
    memset(group->taken + column, true, width);
    return 0;
}

/* Places the cells of a row of a group. Returns -1 with an exception. */
static int place_row(table_t *table, group_t *group, node_t *node, size_t first, size_t row, bool is_head)
{
    size_t column = 0;
    placed_cell_t cell;

    for (size_t at = group->first_reach[row]; at; at = group->reaches[at].next)
        memset(group->taken + group->reaches[at].start, false, group->reaches[at].width);
    for EACH_CHILD(child, node) {
        size_t width, height, span;
        if (!is_cell(child)) continue;
        table->has_header = table->has_header || is_header_cell(child);
        while (column < MAX_TABLE_COLUMNS && group->taken[column]) column++;
        if (column >= MAX_TABLE_COLUMNS) continue; /* it has no place */
        width = read_span(table, attribute_of(child, "colspan"));
        if (width < 1) width = 1;
        if (width > MAX_TABLE_COLUMNS - column) width = MAX_TABLE_COLUMNS - column;
        span = read_span(table, attribute_of(child, "rowspan"));
        height = span && span < group->row_count - row ? span : group->row_count - row;
        cell = (placed_cell_t){(uintptr_t)child, (uint32_t)(first + row), (uint32_t)height, table->number, (uint16_t)column,
                               (uint16_t)width};
        if (has_name(child, "th") || is_head || has_header_role(child)) cell.width |= HEADER_CELL;
        if (append_bytes(&table->cells, &cell, sizeof cell) < 0) return -1;
        if (table->columns < column + 1) table->columns = column + 1;
        if (table->rows < first + row + 1) table->rows = first + row + 1;
        if (height > 1 && add_reach(group, column, width, row + height) < 0) return -1;
        column += width;
    }
    return 0;
}

/* Places the cells of rows: siblings from *start* to before *end*. *first* becomes the number of the row after them. */
static int place_group(table_t *table, node_t *start, const node_t *end, bool is_head, size_t *first)
{
    group_t group = {0};
    size_t row = 0;
    int status = 0;

    for (node_t *node = start; node && node != end; node = node->next) group.row_count += has_name(node, "tr");
    if (group.row_count == 0) return 0;
    if ((group.first_reach = PyMem_RawCalloc(group.row_count + 1, sizeof *group.first_reach)) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (node_t *node = start; node && node != end && status == 0; node = node->next)
        if (has_name(node, "tr")) status = place_row(table, &group, node, *first, row++, is_head);
    *first += group.row_count;
    PyMem_RawFree(group.first_reach);
    PyMem_RawFree(group.reaches);
    return status;
}

static bool is_row_group(node_t *node)
{
    static const char *const NAMES[] = {"thead", "tbody", "tfoot", NULL};

    return has_any_name(node, NAMES);
}

/* Places the cells of a table. */
static int place_cells(table_t *table, node_t *root)
{
    static const char *const OWN[] = {"caption", "colgroup", "col", "thead", "tfoot", NULL};
    node_t *loose = root->first_child;
    size_t first = 0;
    int status = 0;

    for EACH_CHILD(child, root) {
        table->has_own = table->has_own || has_any_name(child, OWN);
        if (!is_row_group(child)) continue;
        if ((status = place_group(table, loose, child, false, &first)) < 0) return -1;
        if ((status = place_group(table, child->first_child, NULL, has_name(child, "thead"), &first)) < 0) return -1;
        loose = child->next;
    }
    return place_group(table, loose, NULL, false, &first);
}

/* Reads the text of a cell, and the elements in it. */
static int read_cell(table_t *table, node_t *cell, buffer_t *text)
{
    static const char *const PAGE_CONTENT[] = {
        "h1", "h2", "h3", "form", "iframe", "object", "embed", "article", "section", "nav", NULL,
    };
    size_t chars, label;

    text->length = 0;
    for (node_t *node = cell; node; node = next_node(node, cell)) {
        const text_node_t *own = (const text_node_t *)node;
        if (node->type == TEXT_NODE && own->data && append_bytes(text, own->data, own->length) < 0) return -1;
        if (node->type != ELEMENT_NODE) continue;
        if (has_name(node, "table")) {
            table->has_table = true;
            return 0;
        }
        table->has_page_content = table->has_page_content || has_any_name(node, PAGE_CONTENT);
    }
    chars = text->length ? count_chars(text->data, text->length) : 0;
    label = text->length ? collapsed_chars(text->data, text->length) : 0;
    table->chars += chars;
    if (chars > table->longest) table->longest = chars;
    if (label > table->longest_label) table->longest_label = label;
    return 0;
}

static int read_row(table_t *table, node_t *row, buffer_t *text)
{
    for EACH_CHILD(child, row) {
        if (table->has_table) break;
        if (is_cell(child) && read_cell(table, child, text) < 0) return -1;
    }
    return 0;
}

/* Reads the texts of the cells, until there is a table in one. */
static int read_cells(table_t *table, node_t *root)
{
    buffer_t text = {0};
    int status = 0;

    for EACH_CHILD(child, root) {
        if (table->has_table || status < 0) break;
        if (has_name(child, "tr")) status = read_row(table, child, &text);
        if (!is_row_group(child)) continue;
        for EACH_CHILD(row, child) {
            if (table->has_table || status < 0) break;
            if (has_name(row, "tr")) status = read_row(table, row, &text);
        }
    }
    PyMem_RawFree(text.data);
    return status;
}

/* What tells that a table holds data, beside what it has. */
typedef struct {
    Py_ssize_t max_rows, columns, rows, layout_cells, label_chars, column_chars;
    double column_share;
} table_limits_t;

static bool is_role(attribute_t own, const char *word)
{
    return own.length == strlen(word) && is_text_at(own.value, word, own.length);
}

/* Figures by their addresses, and whether they have no image: a figure may have any number of tables. */
enum { FIGURE_SLOTS = 256 };
typedef struct {
    const node_t *figures[FIGURE_SLOTS];
    bool are_without_image[FIGURE_SLOTS];
} figures_t;

static bool has_no_image(node_t *figure)
{
    for (node_t *node = figure; node; node = next_node(node, figure))
        if (node->type == ELEMENT_NODE && (has_name(node, "img") || has_name(node, "video"))) return false;
    return true;
}

/* Whether a table is all of a figure, but for its caption. */
static bool is_figure_table(node_t *root, figures_t *known)
{
    node_t *around = root->parent;
    size_t slot = (((uintptr_t)around >> 4) * 0x9E3779B97F4A7C15u >> 32) % FIGURE_SLOTS;

    if (around == NULL || around->type != ELEMENT_NODE || !has_name(around, "figure")) return false;
    if (known->figures[slot] != around) {
        known->figures[slot] = around;
        known->are_without_image[slot] = has_no_image(around);
    }
    return known->are_without_image[slot];
}

/* Whether a table has the class of a formula, perhaps. */
static bool has_formula_class(node_t *root)
{
    attribute_t own = attribute_of(root, "class");

    return own.length && (memmem(own.value, own.length, "equation", 8) || memmem(own.value, own.length, "eqn", 3));
}

/* What its attributes, its headers and the number of its cells tell: as `holds_data`; DATA_UNREAD if its cells have to be read. */
enum { LAYOUT_TABLE, DATA_TABLE, UNSURE_TABLE, DATA_UNREAD };
static int tell_unread(const table_t *table, node_t *root, const table_limits_t *limits, figures_t *figures)
{
    attribute_t role = attribute_of(root, "role"), flag = attribute_of(root, "datatable"), summary = attribute_of(root, "summary");

    if (role.length && !is_ascii(role.value, role.length)) return UNSURE_TABLE;
    if (is_role(role, "presentation") || is_role(role, "none") || is_value(flag, "0") || table->num_cells < 2) return LAYOUT_TABLE;
    if (is_role(role, "table") || is_role(role, "grid") || is_role(role, "treegrid")) return DATA_TABLE;
    if (table->has_header || (summary.length && !is_space(summary.value, summary.length)) || is_figure_table(root, figures)) return DATA_TABLE;
    if (table->rows > 1 && table->has_own) return (Py_ssize_t)table->num_cells > limits->layout_cells ? DATA_TABLE : UNSURE_TABLE;
    if (has_formula_class(root)) return UNSURE_TABLE;
    return table->columns < 2 || table->rows < 2 ? LAYOUT_TABLE : DATA_UNREAD;
}

/* Whether a table whose cells have been read holds data. */
static int holds_data(const table_t *table, node_t *root, const table_limits_t *limits)
{
    attribute_t border = attribute_of(root, "border");
    bool is_column = (Py_ssize_t)table->longest > limits->column_chars && (double)table->longest > limits->column_share * (double)table->chars;

    if (table->has_table || (is_column && table->has_page_content)) return LAYOUT_TABLE;
    if ((Py_ssize_t)table->columns >= limits->columns || (Py_ssize_t)table->rows >= limits->rows) return DATA_TABLE;
    if (border.length && !is_value(border, "0")) return DATA_TABLE;
    if ((Py_ssize_t)table->num_cells <= limits->layout_cells)
        return !table->has_page_content && (Py_ssize_t)table->longest_label <= limits->label_chars;
    return !is_column && !table->has_page_content;
}

/* A table as `tables` returns it; NULL with an exception. */
static PyObject *read_table(node_t *root, unsigned number, const table_limits_t *limits, figures_t *figures)
{
    table_t table = {.number = number, .max_rows = (size_t)limits->max_rows};
    PyObject *out = NULL;
    int told = UNSURE_TABLE, status = place_cells(&table, root);

    table.num_cells = table.cells.length / sizeof(placed_cell_t);
    if (status == 0 && !table.is_unusual) told = tell_unread(&table, root, limits, figures);
    if (status == 0 && (told == DATA_UNREAD || (told == UNSURE_TABLE && !table.has_header && !(table.rows > 1 && table.has_own))))
        status = read_cells(&table, root);
    if (status == 0 && told == DATA_UNREAD) told = holds_data(&table, root, limits);
    if (status == 0 && table.is_unusual) out = Py_NewRef(Py_None);
    else if (status == 0 && told == LAYOUT_TABLE) out = Py_NewRef(Py_False);
    else if (status == 0 && told == DATA_TABLE) out = PyBytes_FromStringAndSize(table.cells.data, (Py_ssize_t)table.cells.length);
    else if (status == 0)
        out = Py_BuildValue("(y#nniiiinnn)", table.cells.length ? table.cells.data : "", (Py_ssize_t)table.cells.length,
                            (Py_ssize_t)table.columns, (Py_ssize_t)table.rows, table.has_header, table.has_own, table.has_table,
                            table.has_page_content, (Py_ssize_t)table.longest_label, (Py_ssize_t)table.longest,
                            (Py_ssize_t)table.chars);
    PyMem_RawFree(table.cells.data);
    return out;
}

PyDoc_STRVAR(tables_doc, "tables(elements, first, number, limits)\n--\n\n"
"Tables from the *first* on, by their addresses, as far as the core can tell which hold data, and the next one: the cells, packed, of\n"
"those that hold data, the first of which has the *number*; False of those that lay out the page. Where only Python can tell, the packed\n"
"cells and what tells it: the columns and rows, whether it has headers, captions and the like, tables in cells, what pages have in\n"
"these, the characters of the longest label and the longest cell, and those of all; None if a span is unusual. *limits*: as\n"
"table_grid._LIMITS.");

static PyObject *core_tables(PyObject *module, PyObject *args)
{
    PyObject *elements, *out;
    Py_ssize_t first;
    unsigned number;
    table_limits_t limits;
    figures_t figures = {{NULL}, {false}};

    if (!PyArg_ParseTuple(args, "O!nI(nnnnnnd)", &PyList_Type, &elements, &first, &number, &limits.max_rows, &limits.columns,
                          &limits.rows, &limits.layout_cells, &limits.label_chars, &limits.column_chars, &limits.column_share)) return NULL;
    out = PyList_New(0);
    for (Py_ssize_t at = first < 0 ? 0 : first; out && at < PyList_GET_SIZE(elements); at++) {
        unsigned long long address = PyLong_AsUnsignedLongLong(PyList_GET_ITEM(elements, at));
        PyObject *own = PyErr_Occurred() ? NULL : read_table((node_t *)(uintptr_t)address, number, &limits, &figures);
        bool is_told = own && (own == Py_False || PyBytes_Check(own));
        number += own && PyBytes_Check(own);
        if (append_new(out, own) < 0) Py_CLEAR(out);
        if (!is_told) break;
    }
    return out;
}
