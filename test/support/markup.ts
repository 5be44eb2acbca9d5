/** Texts that browsers would interpret if they were not escaped. */

/** Injections, each of which would set `ran`. */
export const SCRIPT = 'window.ran=1';
const TAGS = [
  'img src=x',
  'svg',
  'body',
  'iframe',
  'video src=x',
  'audio src=x',
  'details open',
  'input autofocus',
  'object data=x',
  'embed src=x',
];
const HANDLERS = [
  'onerror',
  'onload',
  'onfocus',
  'ontoggle',
  'onmouseover',
  'onanimationstart',
  'onbeforeinput',
  'onpageshow',
];
const SCHEMES = [
  'javascript:',
  'JaVaScRiPt:',
  ' javascript:',
  'java\tscript:',
  'data:text/html,<script>',
  'vbscript:',
  'blob:',
];
export const PAYLOADS: string[] = [
  ...TAGS.flatMap(tag =>
    HANDLERS.flatMap(handler => [`<${tag} ${handler}=${SCRIPT}>`, `"><${tag} ${handler}="${SCRIPT}"/>`]),
  ),
  ...SCHEMES.flatMap(scheme => [`${scheme}${SCRIPT}`, `<a href="${scheme}${SCRIPT}">x</a>`, `[x](${scheme}${SCRIPT})`]),
  `<script>${SCRIPT}</script>`,
  `</textarea><script>${SCRIPT}</script>`,
  `</title><script>${SCRIPT}</script>`,
  `<style>@import 'https://example.com/x.css';</style>`,
  `<meta http-equiv=refresh content="0;url=javascript:${SCRIPT}">`,
  `<base href="https://example.com/">`,
  `{{constructor.constructor('${SCRIPT}')()}}`,
  `\${${SCRIPT}}`,
  `<math><mi xlink:href="javascript:${SCRIPT}">x</mi></math>`,
  `<svg><animate onbegin=${SCRIPT} attributeName=x dur=1s>`,
  `<template><script>${SCRIPT}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${SCRIPT}>">`,
  `\u202e<img src=x onerror=${SCRIPT}>`,
  `![x](https://example.com/x.png)`,
  `<link rel=stylesheet href=https://example.com/x.css>`,
  `<form action=javascript:${SCRIPT}><button autofocus>x</button></form>`,
  `<marquee onstart=${SCRIPT}>x</marquee>`,
  `<svg><style><img src=x onerror=${SCRIPT}></style></svg>`,
  `<button popovertarget=x>x</button><div popover id=x onbeforetoggle=${SCRIPT}>x</div>`,
];
