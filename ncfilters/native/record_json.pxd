cpdef tuple record_and_text(bytes line, str name)
cpdef tuple record_and_rows(bytes line, str name)
cpdef bytes rows_json(dict columns, list fields, object dumps)
