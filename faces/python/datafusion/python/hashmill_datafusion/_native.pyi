ALGORITHMS: list[str]
DATAFUSION: int

class Function:
    def __new__(
        cls,
        name: str,
        algorithm: str,
        *,
        key: bytes | None,
        output: str,
        length: int | None,
        threads: int,
        rows: bool,
        text: tuple[str, str] | None,
    ) -> Function: ...
    def __datafusion_scalar_udf__(self) -> object: ...
