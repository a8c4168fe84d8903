SET LOCAL work_mem = '64MB'
