/** Pages of `docs`, of which those in `docs/api` have no prefix, with their anchors. */
export const GUIDES = {
  console: 'console',
  deploy: 'start#deploy-it',
  chat: 'start#chat-with-it',
  talk: 'widget',
  team: 'start#add-a-teammate',
  handle: 'botChat#handoff',
} as const;
