"""Language codes in file and column names, such as "ja" and "pt-br"."""

import re

LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})?")
