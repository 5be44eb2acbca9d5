/** Packs the widget's npm package and installs it in a new project. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGE = join(import.meta.dirname, '../../widget/package');

/** Uses every part of the API. */
const SAMPLE = `import { loadChat, type Chat, type ChatMessage, type ChatTextKey } from 'parley-widget';

const key: ChatTextKey = 'placeholder';

export async function start(scriptUrl: string, chatUrl: string): Promise<Chat> {
  const chat = await loadChat({
    scriptUrl,
    chatUrl,
    title: 'Help',
    greeting: 'Hello',
    launcherText: 'Ask us',
    texts: { [key]: 'Ask something', send: 'Go' },
    theme: 'light',
    position: 'start',
    storage: 'session',
    uploads: true,
  });
  chat.setUser({ name: 'Ada', attributes: { plan: 'pro', seats: 3, coupon: null } });
  const messages: ChatMessage[] = [];
  const off: () => void = chat.on('message', message => messages.push(message));
  chat.on('unread', count => count.toFixed());
  chat.on('ready', ({ conversationId }) => conversationId.length);
  chat.on('open', nothing => nothing satisfies undefined);
  off();
  window.addEventListener('parleychat', ({ detail }) => detail.chat?.open());
  return chat;
}

/** Compiled only. */
export function misuse(chat: Chat, scriptUrl: string, chatUrl: string): void {
  // @ts-expect-error: an unknown theme
  chat.setTheme('blue');
  // @ts-expect-error: an unknown event
  chat.on('opened', () => {});
  // @ts-expect-error: an unknown text
  void loadChat({ scriptUrl, chatUrl, texts: { plcaeholder: 'x' } });
  // @ts-expect-error: no URL of the chat
  void loadChat({ scriptUrl });
}
`;

export interface PackedWidget {
  project: string;
  /** Paths of the packed files. */
  files: string[];
}

export async function installPackedWidget(): Promise<PackedWidget> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-widget-package-'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: PACKAGE });
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string; files: { path: string }[] }>);
  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "name": "site", "version": "1.0.0", "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed!.filename)], {
    cwd: project,
  });
  await writeFile(join(project, 'sample.ts'), SAMPLE);
  return { project, files: packed!.files.map(({ path }) => path) };
}
