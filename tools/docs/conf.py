# SPDX-License-Identifier: GPL-2.0-only
"""Configuration of Sphinx for "make docs".

The pages can be read without Sphinx, so they have none of its roles and directives. What HTML
needs is added here: the tree of pages, from the list in each index.rst, and a link wherever a page is
named.
"""
import os
import re

from docutils import nodes

project = "perfmon"
project_copyright = "the authors of perfmon"
html_theme = "classic"
html_theme_options = {"stickysidebar": True, "sidebarwidth": 280}
html_show_sphinx = False
html_copy_source = False
html_use_index = False
highlight_language = "none"
smartquotes = False


def page_of(text, docname, env):
    """The page that a text names: from the top, from Documentation/, or in the same folder."""
    text = text.strip("<>").removeprefix("Documentation/").removeprefix("include/uapi/")
    name = text.removesuffix(".rst")
    if name.startswith("linux/"):
        name = "extend/" + name
    elif "/" not in name:
        if name == text:
            return None
        name = os.path.join(os.path.dirname(docname), name)
    return name if name in env.found_docs and name != docname else None


def add_tree(app, docname, source):
    """Makes a table of contents of the pages that an index.rst names."""
    if os.path.basename(docname) != "index":
        return
    tree = "\n\n.. toctree::\n   :hidden:\n"
    pages = [page_of(text, docname, app.env) for text in re.findall(r"``(.*?)``", source[0])]
    for page in dict.fromkeys(pages):
        if page and page.startswith(os.path.dirname(docname)):
            tree += f"\n   /{page}"
    source[0] += tree + "\n"


def add_links(app, doctree, docname):
    """Makes links of the pages that a page names."""
    for node in list(doctree.findall(nodes.literal)):
        page = page_of(node.astext(), docname, app.env)
        if page and not isinstance(node.parent, nodes.reference):
            uri = app.builder.get_relative_uri(docname, page)
            node.replace_self(nodes.reference("", "", node.deepcopy(), internal=True, refuri=uri))
    for node in doctree.findall(nodes.reference):
        uri = node.get("refuri", "")
        if uri.endswith(".rst") and "://" not in uri:
            node["refuri"] = re.sub(r"\.rst$", ".html", uri)


def setup(app):
    app.connect("source-read", add_tree)
    app.connect("doctree-resolved", add_links)
