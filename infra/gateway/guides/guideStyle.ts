/** Style sheet of the guides, with the colors of the reference page. */
export const GUIDE_STYLE = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1f1f1f, #e8e8e8); --soft: light-dark(#595959, #b8b8b8); --page: light-dark(#fff, #0f0f0f);
  --block: light-dark(#f6f6f6, #1a1a1a); --line: light-dark(#dfdfdf, #333); --link: light-dark(#0069a8, #6cb8ff);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; display: grid; grid-template-columns: 16rem minmax(0, 1fr); background: var(--page); color: var(--text);
  font: 16px/1.6 system-ui, sans-serif;
}
a { color: var(--link); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: .5rem; top: .5rem; padding: .5rem; background: var(--page); z-index: 1; }
nav { border-right: 1px solid var(--line); }
nav > div, nav > details {
  position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1.5rem 1rem; font-size: 14px;
}
nav h2 { margin: 1.25rem 0 .25rem; font-size: 12px; color: var(--soft); text-transform: uppercase; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .2rem .5rem; border-radius: 4px; color: inherit; text-decoration: none; }
nav a:hover, nav a[aria-current] { background: var(--block); color: var(--link); }
nav .reference { font-weight: 600; }
summary { cursor: pointer; font-weight: 600; }
nav > details { display: none; }
main { width: 100%; max-width: 60rem; padding: 1.5rem 2rem 4rem; margin: 0 auto; overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2rem 0 .75rem; }
h1 { font-size: 2rem; margin-top: 0; }
h2 { font-size: 1.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
h3 { font-size: 1.2rem; }
.anchor { color: var(--soft); text-decoration: none; font-weight: 400; opacity: 0; }
:is(h1, h2, h3, h4):hover .anchor, .anchor:focus { opacity: 1; }
code { font: .875em/1.5 ui-monospace, monospace; background: var(--block); padding: .1em .3em; border-radius: 4px; }
pre { background: var(--block); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; line-height: 1.45; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 14px; }
th, td { border: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; overflow-wrap: normal; }
th { background: var(--block); }
img { max-width: 100%; background: #fff; border-radius: 6px; }
blockquote { margin: 1rem 0; padding: 0 1rem; border-left: 3px solid var(--line); color: var(--soft); }
@media (max-width: 50rem) {
  body { display: block; }
  nav { border-right: 0; border-bottom: 1px solid var(--line); }
  nav > div { display: none; }
  nav > details { display: block; position: static; max-height: none; padding: .75rem 1rem; }
  main { padding: 1rem; }
  td:last-child { min-width: 14rem; }
}
`;
