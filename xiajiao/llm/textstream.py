"""Text that comes in pieces, cleaned without losing what lies across two of them."""

from xiajiao.texts import clean


class TextStream:
    """Holds back the first half of a surrogate pair until its second half comes."""

    def __init__(self) -> None:
        self.held = ""

    def clean(self, piece: str) -> str:
        if piece.isascii() and not self.held:
            return piece.replace("\0", "")
        piece = self.held + piece
        self.held = piece[-1] if piece and "\ud800" <= piece[-1] <= "\udbff" else ""
        return clean(piece[:-1] if self.held else piece)
