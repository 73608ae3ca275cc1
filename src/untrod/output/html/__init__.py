"""The report as one HTML file, for one campaign or for several beside each other.

`write_html` is the door. Behind it:

- `story`: what the store knows of a campaign, thinned;
- `page`: the page; `comparison`: several campaigns;
- `finding_cards`, `sources`, `screenshots`: what was found, in full and as a table;
- `panel`, `panels` and one `*_panel` per engine: its charts and sections;
- `chart`, `scale`: charts as SVG; `markup`: HTML that cannot be left unescaped; `style.css`.
"""

from untrod.output.html.page import write_html

__all__ = ["write_html"]
