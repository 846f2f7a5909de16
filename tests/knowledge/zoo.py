"""Files of every kind that people upload, made here: good ones, odd ones, broken ones and hostile ones, as bytes."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from email.message import EmailMessage

import docx
import pptx
import xlsxwriter
import xlwt
from PIL import Image
from pypdf import PdfReader, PdfWriter
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

CHINESE_FONT = "STSong-Light"


def pdf(pages: Iterable[str], bookmarks: Mapping[int, str] | None = None) -> bytes:
    """A page for each text, a line for each of its lines; an empty text is an empty page."""
    pdfmetrics.registerFont(UnicodeCIDFont(CHINESE_FONT))
    file = io.BytesIO()
    canvas = Canvas(file)
    for number, text in enumerate(pages, 1):
        if title := (bookmarks or {}).get(number):
            canvas.bookmarkPage(title)
            canvas.addOutlineEntry(title, title, 0)
        canvas.setFont(CHINESE_FONT, 11)
        for line, words in enumerate(text.split("\n")):
            canvas.drawString(60, 800 - 15 * line, words)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def locked_pdf(user: str, owner: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(["Secret dumplings"]))))
    writer.encrypt(user, owner, algorithm="AES-256")
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def scanned_pdf() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (200, 200), "white").save(file, "PDF")
    return file.getvalue()


def large_pdf(pages: int = 500, lines: int = 45) -> bytes:
    line = "the quick brown fox jumps over the lazy dog and rests a while"
    return pdf(
        "\n".join(f"Page {page} line {number}: {line}" for number in range(lines)) for page in range(1, pages + 1)
    )


def picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (300, 300), "red").save(file, "PNG")
    return file.getvalue()


def word() -> bytes:
    document = docx.Document()
    document.add_heading("总则", 1)
    document.add_paragraph("虾饺是广东点心。")
    document.add_heading("做法", 2)
    document.add_paragraph("和面", style="List Bullet")
    table = document.add_table(3, 2)
    for row, cells in enumerate([("馅", "克"), ("虾", "200"), ("", "150")]):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    document.add_picture(io.BytesIO(picture()))
    return saved(document)


def slides() -> bytes:
    show = pptx.Presentation()
    first = show.slides.add_slide(show.slide_layouts[1])
    first.shapes.title.text = "开场"
    first.placeholders[1].text = "要点一\n要点二"
    first.notes_slide.notes_text_frame.text = "记得微笑"
    second = show.slides.add_slide(show.slide_layouts[5])
    second.shapes.title.text = "价目"
    table = second.shapes.add_table(2, 2, 0, 0, 1_000_000, 1_000_000).table
    for row, cells in enumerate([("品名", "价"), ("虾饺", "38")]):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    return saved(show)


def saved(document: docx.document.Document | pptx.presentation.Presentation | xlwt.Workbook) -> bytes:
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def workbook() -> bytes:
    """Two sheets; in the first a cell merged over two rows, in the second nothing."""
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file)
    sheet = book.add_worksheet("销售")
    sheet.write_row(0, 0, ["地区", "季度", "额"])
    sheet.merge_range(1, 0, 2, 0, "华南")
    sheet.write_row(1, 1, ["一", 3.0])
    sheet.write_row(2, 1, ["二", 4.5])
    book.add_worksheet("空")
    book.close()
    return file.getvalue()


def large_workbook(rows: int = 60_000) -> bytes:
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"constant_memory": True})
    sheet = book.add_worksheet("Orders")
    sheet.write_row(0, 0, ["number", "city", "note", "sum"])
    for row in range(1, rows):
        sheet.write_row(row, 0, [row, f"城市{row % 97}", f"the order of customer {row}", row * 1.5])
    book.close()
    return file.getvalue()


def old_workbook() -> bytes:
    book = xlwt.Workbook()
    sheet = book.add_sheet("旧账")
    for row, cells in enumerate([("名", "值"), ("虾饺", 8)]):
        for column, value in enumerate(cells):
            sheet.write(row, column, value)
    return saved(book)


def open_workbook() -> bytes:
    """An .ods as LibreOffice writes it, with nothing but what must be in it."""
    cells = "".join(f"<table:table-row>{cell(a)}{cell(b)}</table:table-row>" for a, b in [("名", "值"), ("烧卖", "6")])
    spaces = ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    spaces += ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    spaces += ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    sheet = f'<table:table table:name="单">{cells}</table:table>'
    body = f"<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    return zipped(
        {
            "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": f"<office:document-content{spaces}>{body}</office:document-content>".encode(),
            "META-INF/manifest.xml": manifest.encode(),
        }
    )


def cell(text: str) -> str:
    return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


def book(encryption: bytes | None = None) -> bytes:
    """An .epub of two chapters, whose files are named the other way round."""
    chapters = {"2.xhtml": ("第一回", "甄士隐梦幻识通灵"), "ch 1.xhtml": ("第二回", "贾夫人仙逝扬州城")}
    items = '<item id="a" href="2.xhtml"/><item id="b" href="ch%201.xhtml"/>'
    spine = '<spine><itemref idref="a"/><itemref idref="b"/></spine>'
    title = '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>红楼梦</dc:title></metadata>'
    opf = f'<package xmlns="http://www.idpf.org/2007/opf">{title}<manifest>{items}</manifest>{spine}</package>'
    roots = '<rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles>'
    container = f'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">{roots}</container>'
    members = {"mimetype": b"application/epub+zip", "META-INF/container.xml": container.encode()}
    members["OEBPS/book.opf"] = opf.encode()
    if encryption:
        members["META-INF/encryption.xml"] = encryption
    for name, (heading, words) in chapters.items():
        page = '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title>'
        members[f"OEBPS/{name}"] = f"{page}</head><body><h1>{heading}</h1><p>{words}</p></body></html>".encode()
    return zipped(members)


def notebook() -> bytes:
    note = {"cell_type": "markdown", "source": ["# 分析\n", "先看数据"]}
    output = {"output_type": "stream", "name": "stdout", "text": ["42\n"]}
    code = {"cell_type": "code", "source": "print(6 * 7)", "outputs": [output]}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [note, code]}).encode()


def letter() -> bytes:
    """With a Word document and a picture attached."""
    message = EmailMessage()
    message["Subject"] = "报价 quotation"
    message["From"] = "ana@example.com"
    message["To"] = "bo@example.com"
    message.set_content("价格见附件。")
    message.add_attachment(word(), maintype="application", subtype="octet-stream", filename="附件.docx")
    message.add_attachment(picture(), maintype="image", subtype="png", filename="photo.png")
    return bytes(message)


def zipped(members: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in members.items():
            package.writestr(name, content)
    return file.getvalue()


def with_member(package: bytes, name: str, content: bytes) -> bytes:
    """The same zip file with other content under that name."""
    with zipfile.ZipFile(io.BytesIO(package)) as whole:
        return zipped({**{member: whole.read(member) for member in whole.namelist()}, name: content})


def bomb(name: str = "word/document.xml", size: int = 51_000_000) -> bytes:
    """Fifty megabytes of nothing in some fifty kilobytes, dressed as a Word document."""
    return zipped({"[Content_Types].xml": b"<Types/>", name: bytes(size)})


def understated(package: bytes, size: int) -> bytes:
    """The same zip file, saying in both its lists that each member unpacks to `size` bytes."""
    changed = bytearray(package)
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = changed.find(mark)
        while at >= 0:
            changed[at + offset : at + offset + 4] = size.to_bytes(4, "little")
            at = changed.find(mark, at + 4)
    return bytes(changed)


def ole(stream: str) -> bytes:
    """The first bytes of an old Office file, and the name of the stream that says which: no more is looked at."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + stream.encode("utf-16-le") + bytes(512)
