"""The zoo: what must come out of each good file."""

from knowledge.parsing import Oddity, Remark, Section
from knowledge.readers.pdf import headings_of_page
from tests.knowledge import zoo
from tests.knowledge.reading import parsed, text_of


def test_a_pdf_keeps_its_page_numbers_and_bookmarks() -> None:
    found = parsed(zoo.pdf(["虾饺是点心", "second page"], {1: "第一章"}), "菜单.pdf")

    assert found.sections == (Section("虾饺是点心", ("第一章",), 1), Section("second page", ("第一章",), 2))
    assert (found.kind, found.pages, found.encoding) == ("pdf", 2, "")


def test_a_page_on_which_several_chapters_begin_stands_under_what_they_share() -> None:
    marks = [(2, ("一",)), (2, ("一", "甲")), (2, ("一", "乙")), (4, ("二",))]

    assert headings_of_page(1, marks, ()) == ((), ())
    assert headings_of_page(2, marks, ()) == (("一",), ("一", "乙"))
    assert headings_of_page(3, marks, ("一", "乙")) == (("一", "乙"), ("一", "乙"))
    assert headings_of_page(4, marks, ("一", "乙")) == (("二",), ("二",))


def test_words_that_the_edge_of_a_page_cut_are_put_together_again() -> None:
    page = "虾饺是广东点心的代表，皮薄馅大，晶莹剔透，我们的知\n识库可以检索到这个词。\n短行\n新的段落"

    text = text_of(zoo.pdf([page]), "wrapped.pdf")

    assert "我们的知识库可以检索" in text
    assert "短行\n新的段落" in text


def test_a_pdf_with_an_owner_password_alone_opens() -> None:
    assert "Secret dumplings" in text_of(zoo.locked_pdf("", "owner"), "owner.pdf")


def test_pages_without_text_are_remarked_where_others_have_some() -> None:
    found = parsed(zoo.pdf(["one", "", "three", ""]), "partly.pdf")

    assert [section.page for section in found.sections] == [1, 3]
    assert found.remarks == (Remark(Oddity.PAGES_WITHOUT_TEXT, "2/4: 2, 4"),)


def test_a_word_document_keeps_headings_lists_and_tables() -> None:
    found = parsed(zoo.word(), "做法.docx")

    assert found.sections[:2] == (Section("虾饺是广东点心。", ("总则",)), Section("- 和面", ("总则", "做法")))
    table = found.sections[2]
    assert (table.kind, table.table_header) == ("table", "| 馅 | 克 |\n| --- | --- |")
    assert table.text == "| 虾 | 200 |\n| 虾 | 150 |"


def test_slides_keep_their_titles_numbers_tables_and_notes() -> None:
    found = parsed(zoo.slides(), "show.pptx")

    assert found.pages == 2
    assert found.sections == (
        Section("要点一\n要点二", ("开场",), 1),
        Section("记得微笑", ("开场",), 1),
        Section("| 虾饺 | 38 |", ("价目",), 2, kind="table", table_header="| 品名 | 价 |\n| --- | --- |"),
    )


def test_one_damaged_slide_or_chapter_leaves_the_others() -> None:
    show = parsed(zoo.with_member(zoo.slides(), "ppt/slides/slide1.xml", b"<broken"), "show.pptx")
    assert [section.heading_path for section in show.sections] == [("价目",)]
    assert [remark.oddity for remark in show.remarks] == [Oddity.PART_DAMAGED]

    red = parsed(zoo.with_member(zoo.book(), "OEBPS/2.xhtml", b""), "red.epub")
    assert [section.text for section in red.sections] == ["贾夫人仙逝扬州城"]


def test_a_workbook_keeps_sheets_and_spreads_merged_cells() -> None:
    found = parsed(zoo.workbook(), "sales.xlsx")

    header = "| 地区 | 季度 | 额 |\n| --- | --- | --- |"
    rows = "| 华南 | 一 | 3 |\n| 华南 | 二 | 4.5 |"
    assert found.sections == (Section(rows, sheet="销售", kind="table", table_header=header),)
    assert found.sheets == 2


def test_workbooks_of_other_programs_and_ages_are_read() -> None:
    assert parsed(zoo.old_workbook(), "old.xls").sections[0].text == "| 虾饺 | 8 |"
    found = parsed(zoo.open_workbook(), "free.ods").sections[0]
    assert (found.sheet, found.table_header, found.text) == ("单", "| 名 | 值 |\n| --- | --- |", "| 烧卖 | 6 |")


def test_a_book_is_read_in_the_order_of_its_spine() -> None:
    found = parsed(zoo.book(), "red.epub")

    assert found.sections == (
        Section("甄士隐梦幻识通灵", ("红楼梦", "第一回")),
        Section("贾夫人仙逝扬州城", ("红楼梦", "第二回")),
    )


def test_a_book_whose_fonts_alone_are_locked_is_read() -> None:
    lock = b'<encryption xmlns="urn:oasis:names"><CipherReference URI="%s"/></encryption>'

    assert "甄士隐" in text_of(zoo.book(lock % b"OEBPS/font.otf"), "font.epub")


def test_a_notebook_gives_notes_code_and_what_was_printed() -> None:
    found = parsed(zoo.notebook(), "look.ipynb")

    assert found.sections == (
        Section("先看数据", ("分析",)),
        Section("print(6 * 7)", ("分析",), kind="code"),
        Section("42\n", ("分析",)),
    )


def test_a_letter_gives_its_text_and_its_attachments() -> None:
    found = parsed(zoo.letter(), "mail.eml")

    paths = [section.heading_path for section in found.sections]
    assert paths[0] == ("报价 quotation",)
    assert ("报价 quotation", "附件.docx", "总则", "做法") in paths
    assert "价格见附件。" in found.sections[1].text
    assert found.remarks == (Remark(Oddity.ATTACHMENT_SKIPPED, "photo.png: unsupported"),)


def test_markdown_is_cut_at_headings_and_keeps_tables_and_code() -> None:
    source = "前言\n\n# 总则\n正文 *一*\n\n```\n# no heading\n```\n\n"
    source += "## 表\n\n| a | b |\n|---|---|\n| 1 | x\\|y |\n\n尾\n\n# 空\n"

    assert parsed(source.encode(), "read.md").sections == (
        Section("前言"),
        Section("正文 *一*\n\n```\n# no heading\n```", ("总则",)),
        Section("| 1 | x\\|y |", ("总则", "表"), kind="table", table_header="| a | b |\n| --- | --- |"),
        Section("尾", ("总则", "表")),
        Section("空"),
    )


def test_html_keeps_headings_and_tables_and_leaves_out_menus() -> None:
    page = """<!doctype html><html><head><title>点心</title><script>var x</script></head><body><nav>Home About</nav>
    <main><h1>虾饺</h1><p>H<sub>2</sub>O 与 <b>虾</b>仁<!-- no --></p><ul><li>一</li><li>二</li></ul>
    <table><tr><th>名</th><th>价</th></tr><tr><td rowspan=2>大</td><td>1</td></tr><tr><td>2</td></tr></table>
    <pre>a\n  b</pre></main><footer>Copyright</footer></body></html>"""

    text, table, code = parsed(page.encode(), "page.html").sections

    assert text == Section("H2O 与 虾仁\n\n- 一\n- 二", ("点心", "虾饺"))
    assert table.text == "| 大 | 1 |\n| 大 | 2 |"
    assert code.text == "a\n  b"


def test_a_csv_with_quotes_lines_and_pipes_is_one_table() -> None:
    found = parsed('name,note\n"虾, 饺","two\nlines | pipe"\nb,"say ""hi"""\n'.encode(), "notes.csv").sections[0]

    assert found.table_header == "| name | note |\n| --- | --- |"
    assert found.text == '| 虾, 饺 | two lines \\| pipe |\n| b | say "hi" |'


def test_cells_may_be_divided_by_semicolons_or_tabs() -> None:
    assert parsed("名;价\n虾饺;3,5\n".encode(), "a.csv").sections[0].text == "| 虾饺 | 3,5 |"
    assert parsed("名\t价\n虾饺\t3,5\n".encode(), "a.tsv").sections[0].text == "| 虾饺 | 3,5 |"


def test_escapes_in_json_become_characters_fit_for_every_database() -> None:
    text = text_of(rb'{"name": "\u867e\u997a", "bad": "a\u0000\ud800b"}', "data.json")

    assert '"name": "虾饺"' in text
    assert "\0" not in text
    assert text.isprintable() or "\n" in text
    assert text_of(b'{"a": "\\u867e"}\n{"a": 2}\n', "data.jsonl") == '{"a": "虾"}\n{"a": 2}\n'


def test_logs_and_code_stay_as_they_are() -> None:
    assert parsed(b"def f():\n    return 1\n", "f.py").sections == (Section("def f():\n    return 1\n", kind="code"),)
    assert text_of(b"12:00 started\r\n12:01 stopped\r\n", "server.log") == "12:00 started\n12:01 stopped\n"


def test_content_counts_for_more_than_the_name() -> None:
    assert parsed(b"<!DOCTYPE html><p>hello there</p>", "report.pdf").kind == "html"
    assert parsed(b"a,b\n1,2\n", "table.xlsx").kind == "csv"
    assert parsed(zoo.pdf(["text"]), "notes.txt").kind == "pdf"
    assert parsed(zoo.word(), "letter.doc").kind == "docx"
    assert parsed(b"<html><table><tr><td>a</td><td>b</td></tr></table></html>", "export.xls").kind == "html"


def test_a_name_is_a_label_and_never_a_path() -> None:
    hostile = ["../../x", "/etc/passwd", "虾" * 85, "🦐\u202e\x07.txt", "a\nb", "", ".", "..txt", "-rf"]

    assert [text_of(b"dumpling", name) for name in hostile] == ["dumpling"] * len(hostile)
