/** Graphviz attributes that all diagrams of the documentation share. */
export const DIAGRAM_STYLE = `
  graph [bgcolor=white, pad=0.3, nodesep=0.35, ranksep=0.4, fontname="Helvetica,Arial,sans-serif", fontsize=11,
    fontcolor="#57606a", color="#d0d7de", style=rounded]
  node [shape=box, style="rounded,filled", fillcolor="#f6f8fa", color="#8c959f", penwidth=1,
    fontname="Helvetica,Arial,sans-serif", fontsize=11, fontcolor="#1f2328", margin="0.24,0.1"]
  edge [color="#57606a", fontname="Helvetica,Arial,sans-serif", fontsize=10, fontcolor="#57606a", arrowsize=0.7]`;
