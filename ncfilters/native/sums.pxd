cpdef object add_floats(double[::1] out, float[::1] values, Py_ssize_t columns, double[::1] weights, Py_ssize_t width,
                        float[::1] low=*, float[::1] high=*)
cpdef object add_doubles(double[::1] out, double[::1] values, Py_ssize_t columns, double[::1] weights, Py_ssize_t width)
cpdef object add_rows(double[::1] out, double[::1] rows, int[::1] index, Py_ssize_t first, Py_ssize_t step,
                      Py_ssize_t width)
cpdef object sum_rows(double[::1] out, double[::1] rows, int[::1] index, Py_ssize_t first, Py_ssize_t step,
                      Py_ssize_t width)
cpdef object rectify(float[::1] out, double[::1] sums)
cpdef object normalize(float[::1] out, float[::1] values, Py_ssize_t columns, float[::1] low, float[::1] high,
                       float[::1] means, float[::1] scales)
cpdef object sum_up(double[::1] out, double[::1] rows, Py_ssize_t width)
cpdef object mean_rows(double[::1] out, double[::1] sums, Py_ssize_t width, double least)
cpdef object window_means(double[::1] out, double[::1] totals, Py_ssize_t width, tuple sizes, Py_ssize_t first,
                          Py_ssize_t last, double least)
cpdef list rounded(double[::1] values, Py_ssize_t first, Py_ssize_t step, double factor)
cpdef double log1p(double value) noexcept
cpdef double exp(double value) noexcept
cpdef object add_positive(double[::1] out, double[::1] values, Py_ssize_t columns, double[::1] weights, Py_ssize_t width)
cpdef object sum_products(double[::1] out, float[::1] values, Py_ssize_t columns, double[::1] weights, Py_ssize_t count)
cpdef object max_rows(double[::1] out, float[::1] values)
cpdef object weigh(double[::1] out, double[::1] values, Py_ssize_t width, float[::1] weights, Py_ssize_t first,
                   Py_ssize_t step)
cpdef object to_floats(float[::1] out, Py_ssize_t columns, double[::1] values, Py_ssize_t width)
cpdef object zero_floats(Py_ssize_t count)
cpdef object zero_doubles(Py_ssize_t count)
cpdef object zero_ints(Py_ssize_t count)
