/** What members' connections listen to: the changes of a bot. Other connections listen to a conversation, by its id. */
export const MEMBERS = 'members';
