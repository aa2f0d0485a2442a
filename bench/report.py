"""The tables of bench/README.md from what was measured."""


def figure_of(result, server, work, connections):
    for figure in result["figures"]:
        if (figure["server"], figure["work"], figure["connections"]) == (server, work, connections):
            return figure
    return None


def report(result):
    lines = []
    base = "Dynoxide, in memory"
    servers = list(result["start_ms"])
    works = list(dict.fromkeys(f["work"] for f in result["figures"]))
    for connections in sorted({f["connections"] for f in result["figures"]}, reverse=True):
        lines += ["", f"### {connections} connection{'s' if connections > 1 else ''}", ""]
        lines.append("| work | " + " | ".join(servers) + " |")
        lines.append("|---" * (len(servers) + 1) + "|")
        for work in works:
            row = [work]
            reference = figure_of(result, base, work, connections)
            for server in servers:
                figure = figure_of(result, server, work, connections)
                if figure is None:
                    row.append("-")
                    continue
                ratio = f"{figure['rate'] / reference['rate']:.1f}x " if reference else ""
                row.append(
                    f"{ratio}({figure['rate']:,.0f}/s, p50 {figure['p50_us']:,.0f} us, "
                    f"p99 {figure['p99_us']:,.0f} us, CPU {figure['cpu_us']:.1f} us)"
                )
            lines.append("| " + " | ".join(row) + " |")
    lines += ["", "| CPU of one operation | Magneto in memory | bare echo | ratio |", "|---|---|---|---|"]
    for work, echo in result["echo"].items():
        figure = figure_of(result, servers[0], work, 16)
        if figure:
            lines.append(
                f"| {work} | {figure['cpu_us']:.1f} us | {echo['cpu_us']:.1f} us | {figure['cpu_us'] / echo['cpu_us']:.2f} |"
            )
    one, many = result["syncs"][1], result["syncs"][64]
    lines += [
        "",
        f"With --fsync, on a disk whose syncs take 2 ms: PutItem {one:,.0f}/s from one connection, {many:,.0f}/s from 64, {many / one:.1f} times as many.",
    ]
    lines += ["", "| server | start to first answer | idle memory | memory after the run |", "|---|---|---|---|"]
    for server in servers:
        lines.append(
            f"| {server} | {result['start_ms'][server]:.1f} ms | {result['idle_mib'][server]:.1f} MiB | "
            f"{result['loaded_mib'][server]:.1f} MiB |"
        )
    return "\n".join(lines) + "\n"
