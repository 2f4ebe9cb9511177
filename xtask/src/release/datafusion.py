import datafusion
import hashlib
import hashmill_datafusion

context = datafusion.SessionContext()
hashmill_datafusion.register(context)
got = context.sql("select hm_sha256('abc') as h").to_pylist()
assert got == [{"h": hashlib.sha256(b"abc").hexdigest()}]
