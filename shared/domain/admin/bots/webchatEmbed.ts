export const EMBED_TYPES = ['preconfigured', 'configurable', 'fullscreen'] as const;
export type EmbedType = (typeof EMBED_TYPES)[number];

/** Paths of the client's files under the chat API's base URL. They must not change, because pages embed them. */
export const WEBCHAT_PATHS = { script: '/webchat/client.js', style: '/webchat/client.css' } as const;

export interface Embed {
  apiUrl: string;
  clientId: string;
  botName: string;
}

/** Returns HTML to paste before the end of a page's body. */
export function embedCode(type: EmbedType, { apiUrl, clientId, botName }: Embed): string {
  const modules = [
    `import { createElement as e, createRoot, Fab, useState, Webchat } from ${literal(apiUrl + WEBCHAT_PATHS.script)};`,
  ];
  const settings = [
    `const apiUrl = ${literal(apiUrl)};`,
    `const clientId = ${literal(clientId)};`,
    ...(type === 'configurable' ? ['// Colours, texts and more: see the documentation of @botpress/webchat.'] : []),
    `const configuration = ${literal({ botName, allowFileUpload: true })};`,
  ];
  const script = [...modules, '', ...settings, '', ...(type === 'fullscreen' ? FULLSCREEN : BUTTON)];
  return [
    '<div id="webchat"></div>',
    `<link rel="stylesheet" href="${apiUrl}${WEBCHAT_PATHS.style}">`,
    '<script type="module">',
    ...script.map(line => (line ? `  ${line}` : '')),
    '</script>',
    '',
  ].join('\n');
}

/** Escapes a value so that it cannot end the script element. */
const literal = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

const RENDER = "createRoot(document.getElementById('webchat')).render(e(Page));";

const FULLSCREEN = [
  "const style = { position: 'fixed', inset: 0, width: '100%', height: '100%' };",
  'const Page = () => e(Webchat, { apiUrl, clientId, configuration, style });',
  RENDER,
];

/** A corner button toggles the window, which stays connected. */
const BUTTON = [
  "const corner = { position: 'fixed', right: '20px', zIndex: 1000 };",
  'function Page() {',
  '  const [isOpen, setOpen] = useState(false);',
  '  const toggle = () => setOpen(!isOpen);',
  "  const size = { bottom: '100px', width: '400px', height: '600px', maxWidth: '90vw', maxHeight: '80vh' };",
  "  const style = { ...corner, ...size, display: isOpen ? 'flex' : 'none' };",
  '  return [',
  "    e(Webchat, { key: 'window', apiUrl, clientId, configuration, isOpen, closeWindow: toggle, style }),",
  "    e(Fab, { key: 'button', onClick: toggle, style: { ...corner, bottom: '20px', width: '64px', height: '64px' } }),",
  '  ];',
  '}',
  RENDER,
];
