"""Sets of symbols of one's own, as requests bring them."""

from capsnet_explorer.app.errors import InvalidRequest
from capsnet_explorer.dataset_files.idx import BrokenFile
from capsnet_explorer.dataset_files.symbols import Symbols, checked_symbols

SYMBOLS = "symbols"  # the data set's name


def symbols_from(content: object) -> Symbols:
    """Check a set of symbols.

    Raises:
        InvalidRequest: says what is needed and what came.
    """
    try:
        return checked_symbols(content)
    except BrokenFile as error:
        raise InvalidRequest(str(error), field="symbols") from None
