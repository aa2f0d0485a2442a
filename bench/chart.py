"""The throughput of all servers as a picture (SVG), on a logarithmic scale."""

import math

COLOURS = ("#1f6feb", "#79b8ff", "#d29922", "#e8c47a", "#8b949e", "#bc8cff")
WORKS = ("GetItem", "PutItem", "UpdateItem", "Query", "TransactWrite2", "BatchWrite25", "BatchGet100")
LEFT, TOP, WIDTH, BAR, GAP = 130, 64, 640, 11, 14


def draw(result, connections=16):
    rates = {
        (figure["server"], figure["work"]): figure["rate"]
        for figure in result["figures"]
        if figure["connections"] == connections
    }
    servers = list(result["start_ms"])
    works = [work for work in WORKS if any((server, work) in rates for server in servers)]
    low = 10 ** math.floor(math.log10(min(rates[key] for key in rates if key[1] in works)))
    high = 10 ** math.ceil(math.log10(max(rates.values())))
    scale = WIDTH / math.log10(high / low)

    group = BAR * len(servers) + GAP
    bottom = TOP + group * len(works)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 90} {bottom + 34}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="20" font-size="14" font-weight="600">Operations a second, '
        f"{connections} connections, two cores (logarithmic)</text>",
    ]
    x = 12
    for server, colour in zip(servers, COLOURS):
        parts.append(f'<rect x="{x}" y="34" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{x + 14}" y="43">{server}</text>')
        x += 26 + 6.6 * len(server)
    for power in range(int(math.log10(low)), int(math.log10(high)) + 1):
        at = LEFT + scale * (power - math.log10(low))
        parts.append(f'<line x1="{at:.1f}" y1="{TOP - 8}" x2="{at:.1f}" y2="{bottom}" stroke="#d0d7de"/>')
        parts.append(f'<text x="{at:.1f}" y="{bottom + 18}" text-anchor="middle">{10 ** power:,}</text>')
    for row, work in enumerate(works):
        y = TOP + row * group
        parts.append(f'<text x="{LEFT - 10}" y="{y + group / 2 - 2:.1f}" text-anchor="end">{work}</text>')
        for server, colour in zip(servers, COLOURS):
            rate = rates.get((server, work))
            if rate is not None:
                width = scale * math.log10(rate / low)
                parts.append(
                    f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR - 1}" fill="{colour}">'
                    f"<title>{server}, {work}: {rate:,.0f}/s</title></rect>"
                )
                parts.append(
                    f'<text x="{LEFT + width + 4:.1f}" y="{y + BAR - 2}" font-size="10">{rate:,.0f}</text>'
                )
            y += BAR
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
