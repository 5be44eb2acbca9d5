/** Responses of the fake Telegram and Todoist to their integrations' requests. */
import type { ProviderCall } from './provider.ts';

export const HOSTS = ['api.telegram.org', 'api.todoist.com', 'todoist.com'];
export const TELEGRAM_TOKEN = '1:right';
export const TODOIST_CODE = 'consented';
export const TODOIST_ACCOUNT = '2671355';
const TODOIST_TOKEN = 'todoist-token';

interface ProviderAnswer {
  status?: number;
  body: unknown;
}

export const answerOf = (call: ProviderCall): ProviderAnswer =>
  call.host === 'api.telegram.org' ? telegram(call) : todoist(call);

function telegram({ path, body }: ProviderCall): ProviderAnswer {
  const [, token, method] = /^\/bot([^/]+)\/(\w+)/.exec(path) ?? [];
  if (token !== TELEGRAM_TOKEN)
    return { status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } };
  const results: Record<string, unknown> = {
    getMe: { id: 1, is_bot: true, first_name: 'Bot', username: 'parley_bot' },
    getUserProfilePhotos: { total_count: 0, photos: [] },
    sendMessage: { message_id: 77, date: 1, chat: { id: body?.chat_id, type: 'private' }, text: body?.text },
  };
  return { body: { ok: true, result: results[method!] ?? true } };
}

function todoist({ host, path, headers, body }: ProviderCall): ProviderAnswer {
  if (host === 'todoist.com') {
    return body?.code === TODOIST_CODE
      ? { body: { access_token: TODOIST_TOKEN, token_type: 'Bearer' } }
      : { status: 400, body: { error: 'bad_authorization_code' } };
  }
  if (headers.authorization !== `Bearer ${TODOIST_TOKEN}`) return { status: 401, body: { error: 'Unauthorized' } };
  if (path.endsWith('/user')) return { body: { id: TODOIST_ACCOUNT, full_name: 'Ada' } };
  if (path.endsWith('/comments')) {
    const comment = { id: '77', task_id: body?.task_id, project_id: null, content: body?.content, attachment: null };
    return { body: { ...comment, posted_at: '2026-01-01T00:00:00Z' } };
  }
  return { status: 404, body: { error: 'Not found' } };
}
