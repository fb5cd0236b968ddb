# cython: boundscheck=False, wraparound=False, cdivision=True
"""A page as a table (see page_table.py), filled from lexbor's memory in one pass.

lexbor's structures are read as they were when this was written. A small page shows at the first table whether they still
are: otherwise the table is filled by way of selectolax's nodes.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdint cimport uintptr_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memset

from .element_names import ATTRIBUTES, BLANK as _BLANK, CLASS as _CLASS, EMPTY as _EMPTY, ID as _ID, ROLE as _ROLE
from .element_names import TAG_NAMES, TAG_NUMBERS
from .element_names import columns_of_nodes

cdef extern from "<dlfcn.h>":
    void *dlopen(const char *path, int mode)
    void *dlsym(void *library, const char *name)
    enum: RTLD_LAZY
    enum: RTLD_NOLOAD

# ---- the part of lexbor's public structures that is read directly

cdef struct node_t:
    void *events
    uintptr_t local_name, prefix, ns
    void *owner_document
    node_t *next
    node_t *prev
    node_t *parent
    node_t *first_child
    node_t *last_child
    void *user
    int type

cdef struct text_t:
    node_t node
    const char *data
    size_t length

cdef struct string_t:
    const char *data
    size_t length

cdef struct attribute_t:
    node_t node
    uintptr_t upper_name, qualified_name
    string_t *value
    void *owner
    attribute_t *next

cdef struct element_t:
    node_t node
    uintptr_t upper_name, qualified_name
    void *is_value
    attribute_t *first_attribute

ctypedef const char *(*name_f)(void *of, size_t *length)
cdef name_f element_name = NULL, attribute_name = NULL
cdef enum: ELEMENT = 1, TEXT_NODE = 3, COMMENT_NODE = 8, HTML = 2, KNOWN = 256, TEXT = -1, COMMENT = -2, OTHER_NODE = -3
cdef int BLANK = _BLANK, EMPTY = _EMPTY, ID = _ID, CLASS = _CLASS, ROLE = _ROLE
cdef list tag_names = TAG_NAMES
cdef int[KNOWN] known_tags  # by lexbor's number of an HTML element, plus 1
cdef int[KNOWN] known_attributes  # bits, plus 1
cdef Py_ssize_t names_known = 0  # the number of element names when these were remembered

cdef struct name_t:
    const char *at
    size_t length

cdef name_t[KNOWN] attribute_names

cdef struct flagged_t:
    name_t name
    int bits

cdef enum: PLACES = 512
cdef flagged_t[PLACES] other_attributes  # by name, for those to which lexbor gives no small number
cdef list flagged_names = []  # where the names are kept


cdef int tag_of(node_t *node) except -9:
    cdef size_t length = 0
    cdef const char *name
    cdef bint is_known = node.ns == HTML and node.local_name < KNOWN
    cdef int tag
    if is_known and known_tags[node.local_name]:
        return known_tags[node.local_name] - 1
    name = element_name(node, &length)
    tag = TAG_NUMBERS.get(name[:length].decode("utf-8", "replace"), 0) if name else 0
    if is_known:
        known_tags[node.local_name] = tag + 1
    return tag


cdef inline const char *name_of_attribute(attribute_t *attribute, size_t *length):
    cdef uintptr_t number = attribute.node.local_name
    if number >= KNOWN or attribute.node.prefix or attribute.qualified_name:
        return attribute_name(attribute, length)
    if attribute_names[number].at is NULL:
        attribute_names[number].at = attribute_name(attribute, &attribute_names[number].length)
    length[0] = attribute_names[number].length
    return attribute_names[number].at


cdef int place_of(const char *name, size_t length) noexcept:
    """The place of a name in the table *other_attributes*: most names have none there, and end the search at once."""
    cdef size_t place = (length * 37 + <unsigned char>name[0] * 7 + <unsigned char>name[length // 2] * 3
                         + <unsigned char>name[length - 1]) % PLACES
    while other_attributes[place].name.at and (
        other_attributes[place].name.length != length or memcmp(other_attributes[place].name.at, name, length)
    ):
        place = (place + 1) % PLACES
    return <int>place


cdef bint find_other_attributes() except -1:
    """Fills *other_attributes* with all names that have bits."""
    global flagged_names
    cdef int place
    flagged_names = [name.encode() for name in ATTRIBUTES]
    for name in flagged_names:
        place = place_of(name, len(name))
        other_attributes[place].name.at, other_attributes[place].name.length = name, len(name)
        other_attributes[place].bits = ATTRIBUTES[name.decode()]
    return True


cdef int flags_of(element_t *element) except -1:
    cdef int bits = 0, bit
    cdef size_t length = 0
    cdef const char *name
    cdef attribute_t *at = element.first_attribute
    while at:
        if at.node.local_name < KNOWN and not at.node.prefix and not at.qualified_name:
            bit = known_attributes[at.node.local_name]
            if not bit:
                name = name_of_attribute(at, &length)
                bit = known_attributes[at.node.local_name] = ATTRIBUTES.get(name[:length].decode("utf-8", "replace"), 0) + 1
            bits |= bit - 1
        else:
            name = attribute_name(at, &length)
            if name and length:
                bits |= other_attributes[place_of(name, length)].bits
        at = at.next
    return bits


cdef attribute_t *attribute_named(element_t *element, const char *name, size_t size) noexcept:
    cdef attribute_t *at = element.first_attribute
    cdef const char *own
    cdef size_t length = 0
    while at:
        own = name_of_attribute(at, &length)
        if length == size and memcmp(own, name, length) == 0:
            return at
        at = at.next
    return NULL


cdef bint has_same(element_t *element, element_t *other, const char *name, size_t size) noexcept:
    """Whether two elements have the same value of an attribute, or neither has it."""
    cdef attribute_t *own = attribute_named(element, name, size)
    cdef attribute_t *of_other = attribute_named(other, name, size)
    if not own or not of_other:
        return not own and not of_other
    if not own.value or not of_other.value:
        return own.value == of_other.value
    return own.value.length == of_other.value.length and (
        own.value.length == 0 or memcmp(own.value.data, of_other.value.data, own.value.length) == 0)


cdef int flags_of_text(text_t *text) except -1:
    cdef size_t at = 0
    cdef unsigned char c
    if text.data is NULL or text.length == 0:
        return BLANK | EMPTY
    while at < text.length:
        c = text.data[at]
        if c >= 0x80:
            return BLANK if PyUnicode_DecodeUTF8(text.data, text.length, "replace").isspace() else 0
        if not (c == 32 or 9 <= c <= 13 or 28 <= c <= 31):
            return 0
        at += 1
    return BLANK


cdef class PageTable:
    def __init__(self, root):
        global names_known
        self.root = root
        if len(tag_names) != names_known:  # a module of rules has named more
            memset(known_tags, 0, sizeof(known_tags))
            names_known = len(tag_names)
        if not flagged_names:  # the table has pointers to them: they stay
            find_other_attributes()
        if reads_memory < 0:
            probe()
        if reads_memory:
            self._read_memory()
        else:
            self._read_nodes()
        self.tag = <int[:self.size]>self._tag
        self.parent = <int[:self.size]>self._parent
        self.before = <int[:self.size]>self._before
        self.end = <int[:self.size]>self._end
        self.flags = <int[:self.size]>self._flags

    def __dealloc__(self):
        free(self._tag); free(self._parent); free(self._before); free(self._end); free(self._flags); free(self._address)

    cdef int _grow(self, int size) except -1:
        self.capacity = size
        self._tag = <int *>realloc(self._tag, size * sizeof(int))
        self._parent = <int *>realloc(self._parent, size * sizeof(int))
        self._before = <int *>realloc(self._before, size * sizeof(int))
        self._end = <int *>realloc(self._end, size * sizeof(int))
        self._flags = <int *>realloc(self._flags, size * sizeof(int))
        self._address = <uintptr_t *>realloc(self._address, size * sizeof(uintptr_t))
        if not (self._tag and self._parent and self._before and self._end and self._flags and self._address):
            raise MemoryError
        return 0

    cdef int _read_nodes(self) except -1:
        cdef int row
        self.nodes = list(self.root.traverse(include_text=True))
        self.size = len(self.nodes)
        self._grow(self.size)
        columns = columns_of_nodes(self.nodes)
        for row in range(self.size):
            self._tag[row], self._parent[row], self._before[row] = columns[0][row], columns[1][row], columns[2][row]
            self._end[row], self._flags[row] = columns[3][row], columns[4][row]
        return 0

    cdef int _read_memory(self) except -1:
        cdef node_t *root = <node_t *><uintptr_t>self.root.mem_id
        cdef node_t *node = root
        cdef int row = 0, above = -1, before = -1
        while True:
            if row == self.capacity:
                self._grow(self.capacity * 2 + 2048)
            self._parent[row] = above
            self._before[row] = before
            self._address[row] = <uintptr_t>node
            if node.type == ELEMENT:
                self._tag[row] = tag_of(node)
                self._flags[row] = flags_of(<element_t *>node)
            elif node.type == TEXT_NODE:
                self._tag[row] = TEXT
                self._flags[row] = flags_of_text(<text_t *>node)
            else:
                self._tag[row] = COMMENT if node.type == COMMENT_NODE else OTHER_NODE
                self._flags[row] = 0
            if node.first_child:
                node = node.first_child
                above, before = row, -1
                row += 1
                continue
            self._end[row] = row + 1
            before = row
            row += 1
            while node is not root and not node.next:
                node = node.parent
                before = above
                self._end[before] = row
                above = self._parent[before]
            if node is root:
                break
            node = node.next
        self.size = row
        return 0

    cpdef str text_of(self, int row):
        cdef text_t *text
        if self.nodes is not None:
            return self.nodes[row].text_content or ""
        text = <text_t *>self._address[row]
        return PyUnicode_DecodeUTF8(text.data, text.length, "replace") if text.data else ""

    cpdef bint has_text(self, int row) except -1:
        cdef int at
        for at in range(row, self._end[row]):
            if self._tag[at] == TEXT and not self._flags[at] & BLANK:
                return True
        return False

    cpdef str text_below(self, int row):
        cdef int at
        return "".join([self.text_of(at) for at in range(row, self._end[row]) if self._tag[at] == TEXT])

    cpdef object attribute_of(self, int row, str name):
        cdef Py_ssize_t size
        cdef const char *wanted
        cdef attribute_t *at
        if self.nodes is not None:
            return self.nodes[row].attributes.get(name)
        wanted = PyUnicode_AsUTF8AndSize(name, &size)
        at = attribute_named(<element_t *>self._address[row], wanted, size)
        return value_of(at) if at else None

    cpdef bint is_alike(self, int row, int other) except -1:
        cdef int wanted = ID | CLASS | ROLE
        cdef element_t *one
        cdef element_t *two
        if self._tag[row] != self._tag[other] or self._tag[row] <= 0:
            return False
        if self._flags[row] & wanted == 0 and self._flags[other] & wanted == 0:
            return True
        if self.nodes is not None:
            return all([self.attribute_of(row, name) == self.attribute_of(other, name) for name in ("id", "class", "role")])
        one, two = <element_t *>self._address[row], <element_t *>self._address[other]
        return has_same(one, two, b"id", 2) and has_same(one, two, b"class", 5) and has_same(one, two, b"role", 4)

    cpdef dict attributes_of(self, int row):
        cdef attribute_t *at
        cdef const char *own
        cdef size_t length = 0
        cdef dict out
        if self.nodes is not None:
            return self.nodes[row].attributes
        out = {}
        at = (<element_t *>self._address[row]).first_attribute
        while at:
            own = name_of_attribute(at, &length)
            out[PyUnicode_DecodeUTF8(own, length, "replace")] = value_of(at)
            at = at.next
        return out

    cpdef str name_of(self, int row):
        cdef size_t length = 0
        cdef const char *name
        if self._tag[row] > 0:
            return <str>tag_names[self._tag[row]]
        if self.nodes is not None:
            return self.nodes[row].tag
        name = element_name(<void *>self._address[row], &length)
        return PyUnicode_DecodeUTF8(name, length, "replace")

    cpdef object node_of(self, int row):
        if self.nodes is not None:
            return self.nodes[row]
        if self._walk is None or row < self._walked:  # rows are mostly asked for in order
            self._walk, self._walked = iter(self.root.traverse(include_text=True)), 0
        for node in self._walk:
            self._walked += 1
            if self._walked == row + 1:
                return node
        raise LookupError(row)


cdef object value_of(attribute_t *attribute):
    if attribute.value is NULL or attribute.value.data is NULL:
        return None
    return PyUnicode_DecodeUTF8(attribute.value.data, attribute.value.length, "replace")


def table_of(root):
    """The table of the tree below *root*, a node of selectolax."""
    return PageTable(root)


def description():
    """How tables are filled here."""
    if reads_memory < 0:
        probe()
    return "compiled, from the parser's memory" if reads_memory else "compiled, by way of the parser's nodes"


# ---- whether the structures are those of the parser that is installed

# A page with each kind of node and attribute that is read.
SAMPLE = (
    "<!doctype html><title>a</title><!-- b --><p id=c class='d e' hidden>f é 中<b data-g>h<br></b> i"
    "<svg xlink:href=j><foreignObject>k<title>l</title></foreignObject></svg><p><title>m"
)
cdef int reads_memory = -1  # not known yet: start-up, because the parser is imported to find it


cdef bint find_names() except -1:
    """Finds the functions that name elements and attributes. Whether there are such."""
    global element_name, attribute_name
    from selectolax import lexbor

    cdef bytes path = lexbor.__file__.encode()
    cdef void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD)
    if library is NULL:
        return False
    element_name = <name_f>dlsym(library, b"lxb_dom_element_qualified_name")
    attribute_name = <name_f>dlsym(library, b"lxb_dom_attr_qualified_name")
    return element_name is not NULL and attribute_name is not NULL


cdef list described(PageTable table):
    """What a table says of its rows."""
    cdef int row
    out = []
    for row in range(table.size):
        own = None
        if table._tag[row] >= 0:
            own = table.name_of(row), table.attributes_of(row)
        elif table._tag[row] == TEXT:
            own = table.text_of(row)
        out.append((table._tag[row], table._parent[row], table._before[row], table._end[row], table._flags[row], own))
    return out


def read_by_nodes() -> None:
    """Has tables filled by way of nodes from now on."""
    global reads_memory
    reads_memory = 0


def probe() -> bool:
    """Reads a small page from memory and by way of nodes. Whether both are alike; then tables are filled from memory."""
    global reads_memory
    from selectolax import lexbor

    read_by_nodes()
    root = lexbor.LexborHTMLParser(SAMPLE).root
    wanted = described(PageTable(root))
    reads_memory = find_names()
    if reads_memory and described(PageTable(root)) != wanted:
        reads_memory = 0
    return reads_memory == 1
