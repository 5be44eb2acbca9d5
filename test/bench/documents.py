"""Prints the text of each document of a folder as a line of JSON, read by common Python packages (see documents.ts)."""

import email
import email.policy
import json
import os
import sys
import warnings

warnings.filterwarnings("ignore")


def read_docx(path):
    import docx

    document = docx.Document(path)
    containers = [document]
    for section in document.sections:
        containers += [section.header, section.footer, section.first_page_header, section.first_page_footer]
    for container in containers:
        yield from (paragraph.text for paragraph in container.paragraphs)
        for table in container.tables:
            yield from (cell.text for row in table.rows for cell in row.cells)
    yield from (comment.text for comment in document.comments)


def read_xlsx(path):
    """Texts and plain whole numbers. Formats determine the form of other values."""
    import openpyxl

    for sheet in openpyxl.load_workbook(path, data_only=True).worksheets:
        if sheet.sheet_state != "visible":
            continue
        for cell in (cell for row in sheet.iter_rows() for cell in row):
            if isinstance(cell.value, str):
                yield cell.value
            elif type(cell.value) is int and cell.number_format == "General":
                yield str(cell.value)
            if cell.comment:
                yield cell.comment.text


def read_pptx(path):
    import pptx
    from pptx.enum.shapes import PP_PLACEHOLDER as P

    def read_shapes(shapes):
        for shape in shapes:
            if shape.is_placeholder and shape.placeholder_format.type in (P.SLIDE_NUMBER, P.DATE, P.FOOTER):
                continue
            if hasattr(shape, "shapes"):
                yield from read_shapes(shape.shapes)
            if shape.has_text_frame:
                yield shape.text_frame.text
            if getattr(shape, "has_table", False):
                yield from (cell.text for row in shape.table.rows for cell in row.cells)
            if getattr(shape, "has_chart", False):
                for plot in shape.chart.plots:
                    yield from (str(category) for category in plot.categories)
                    yield from (series.name for series in plot.series)

    for slide in pptx.Presentation(path).slides:
        yield from read_shapes(slide.shapes)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            yield slide.notes_slide.notes_text_frame.text


def read_odf(path):
    from odf import teletype, text
    from odf.opendocument import load

    body = load(path).body
    for element in body.getElementsByType(text.P) + body.getElementsByType(text.H):
        yield teletype.extractText(element)


def read_rtf(path):
    from striprtf.striprtf import rtf_to_text

    yield rtf_to_text(read_bytes(path).decode("latin1"), errors="ignore")


def read_pdf(path):
    import pypdf

    yield from (page.extract_text() for page in pypdf.PdfReader(path).pages)


def visible(html):
    from bs4 import BeautifulSoup

    page = BeautifulSoup(html, "html.parser")
    for element in page(["script", "style", "template", "noscript", "nav", "svg"]):
        element.extract()
    return page.get_text(" ")


def read_epub(path):
    from ebooklib import epub

    book = epub.read_epub(path)
    for name, _ in book.spine:
        item = book.get_item_with_id(name)
        if item is not None:
            yield visible(item.get_content())


def read_eml(path):
    message = email.message_from_bytes(read_bytes(path), policy=email.policy.default)
    yield str(message["subject"] or "")
    body = message.get_body(("html", "plain"))
    if body is not None:
        content = body.get_content()
        yield visible(content) if body.get_content_type() == "text/html" else content
    yield from (part.get_filename() or "" for part in message.iter_attachments())


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def read_text(path):
    yield read_bytes(path).decode("utf-8-sig")


READERS = {
    "docx": read_docx, "xlsx": read_xlsx, "pptx": read_pptx, "odt": read_odf, "ods": read_odf, "odp": read_odf,
    "rtf": read_rtf, "pdf": read_pdf, "epub": read_epub, "eml": read_eml, "txt": read_text, "csv": read_text,
    "json": read_text, "md": read_text, "html": lambda path: [visible(read_bytes(path))],
}  # fmt: skip

for name in sorted(os.listdir(sys.argv[1])):
    reader = READERS.get(name.rpartition(".")[2].lower())
    if reader is None:
        continue
    try:
        line = {"file": name, "text": "\n".join(text for text in reader(os.path.join(sys.argv[1], name)) if text)}
    except Exception as error:  # pylint: disable=broad-except
        line = {"file": name, "error": str(error)[:200]}
    print(json.dumps(line))
