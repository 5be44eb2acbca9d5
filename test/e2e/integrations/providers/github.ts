/** GitHub: a personal access token, signed events of a repository, a comment in both directions. */
import assert from 'node:assert/strict';
import type { ProviderTest } from '../exchange.ts';
import { hmac, post } from '../signatures.ts';

const [SECRET, TOKEN] = ['hook-secret', 'github_pat_1'];
const secrets = ['APP_ID', 'PRIVATE_KEY', 'WEBHOOK_SECRET', 'CLIENT_ID', 'CLIENT_SECRET'];
const user = (id: number, login: string) => ({
  ...{ id, login, name: null, node_id: `U_${id}`, type: 'User', html_url: `https://github.com/${login}` },
  avatar_url: `https://avatars.githubusercontent.com/u/${id}`,
});
const owner = user(1, 'pizzas');
const repository = { id: 10, node_id: 'R_10', name: 'menu', owner, html_url: 'https://github.com/pizzas/menu' };
const issue = {
  ...{ id: 20, node_id: 'I_20', number: 7, title: 'No basil', body: 'Where is it?', labels: [], assignees: [] },
  ...{ user: user(2, 'ada'), html_url: `${repository.html_url}/issues/7` },
};

export const github: ProviderTest = {
  // For the vendor's own GitHub app, which a personal access token does not use.
  secrets: Object.fromEntries(secrets.map(name => [`GITHUB_${name}`, 'unused'])),

  answers: {
    'GET api.github.com/user': () => user(3, 'pizza-bot'),
    'GET api.github.com/user/repos': () => [repository],
    'POST api.github.com/repos/pizzas/menu/issues/7/comments': ({ body }) => ({
      ...{ id: 31, node_id: 'IC_31', html_url: `${issue.html_url}#31`, body: body.body },
    }),
  },

  async run({ bot, install, asked, heard, received, reply, say }) {
    const { status, webhookUrl } = await install(
      { personalAccessToken: TOKEN, githubWebhookSecret: SECRET },
      'manualPAT',
    );
    assert.equal(status, 'registered');
    const { headers } = await asked('GET api.github.com/user');
    assert.equal(headers.authorization, `token ${TOKEN}`);
    const { user: itself } = await bot.client.getUser({ id: bot.id });
    assert.deepEqual([itself.name, itself.tags['github:id']], ['pizza-bot', '3']);
    say("register looks up the token's account, which names and tags the bot's own user");

    const notify = async (event: object, secret = SECRET) => {
      const response = await post(webhookUrl, { repository, issue, sender: issue.user, ...event }, text => ({
        'x-hub-signature-256': `sha256=${hmac(secret, text)}`,
      }));
      assert.equal(response.status, 200);
    };
    const comment = (id: number, body: string) => ({
      action: 'created',
      comment: { id, node_id: `IC_${id}`, html_url: `${issue.html_url}#${id}`, body, user: issue.user },
    });
    await notify(comment(29, 'Forged'), 'wrong');
    await notify({ action: 'opened' });
    const opened = await heard('issueOpened');
    assert.deepEqual([opened.issue.name, opened.issue.author.handle], ['No basil', 'ada']);
    await notify(comment(30, 'Still none'));
    const { conversationId } = await received('Still none');
    const { messages } = await bot.client.listMessages({ conversationId });
    assert.equal(messages.length, 1, 'The comment with the wrong signature is ignored.');
    say('ignores a wrong signature, receives an issue and a comment that are signed');

    await reply(conversationId, 'Ordered.');
    const { body } = await asked('POST api.github.com/repos/pizzas/menu/issues/7/comments');
    assert.deepEqual(body, { body: 'Ordered.' });
    say('comments on the issue');
  },
};
