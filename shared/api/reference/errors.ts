/** Errors of operations that do not follow from the declaration. */
import { type ErrorType, NOT_IMPLEMENTED, STATUS_OF } from '#shared/core/errors.ts';

export interface DocumentedError {
  status: number;
  type: ErrorType;
  when: string;
}

export const error = (type: ErrorType, when: string, status: number = STATUS_OF[type]): DocumentedError => ({
  status,
  type,
  when,
});
export const exists = (when: string) => error('AlreadyExists', when);
export const limit = (when: string) => error('LimitExceeded', when);
export const unknown = (when: string) => error('ReferenceNotFound', when);

export const NO_MODEL = error('MethodNotFound', 'The installation has no language model.', NOT_IMPLEMENTED);
export const MESSAGE_QUOTA = error('QuotaExceeded', 'The workspace has reached its monthly message quota.');
export const STORAGE_QUOTA = error('QuotaExceeded', 'The workspace has reached its storage quota.');
export const ROW_QUOTA = error('QuotaExceeded', 'The workspace has reached its quota of table rows.');
export const BOT_QUOTA = error('QuotaExceeded', 'The workspace has reached its bot quota.');
export const MODEL_QUOTA = error('QuotaExceeded', 'The workspace has reached its spending limit for models.');
export const PARTICIPANTS = limit('The conversation has the maximum number of participants.');
export const MEMBERSHIPS = limit('The account is a member of the maximum number of workspaces.');
export const ASSIGNED = error(
  'RelationConflict',
  'The conversation is assigned to another member, or the handoff was ended.',
);
export const MEMBER = unknown('`accountId` does not name a member who can be assigned to conversations.');
export const MENTIONED = unknown('`mentions` contains an account that is no member, or whose role cannot read notes.');
export const NO_CONVERSATION = error('ResourceNotFound', 'The conversation in `conversationId` does not exist.');
export const NO_BOT = error('ResourceNotFound', 'The bot in `installedByBotId` does not exist.');
export const ALIAS = unknown('No installation has the alias in `integrationName`.');
export const BY_INTEGRATION = [
  error('Runtime', "The integration's endpoint, which creates the record, failed or returned an invalid response."),
  error('OperationTimeout', "The integration's endpoint did not respond in time."),
];
export const REFERENCES = unknown('The definition refers to an interface or integration that does not exist.');
export const VERSIONS = [
  exists('The workspace has this name and version, or another workspace has published the name.'),
  limit('The definition or its code is too large.'),
];
export const LAST_OWNER = error('ReferenceConstraint', 'A workspace must have an owner. Add another owner first.');
export const DISCRIMINATION = limit(
  'Too many records have these tags. Add a more selective tag to `discriminateByTags`.',
);
export const TABLE_NAME = exists('The bot has a table with this name.');
export const FROZEN = error('RelationConflict', 'The table is frozen.');
export const DEFINITIONS = limit("The schemas and tags of all the bot's tables exceed their limit.");
export const MODEL = [
  error('Runtime', 'The model rejected the request, or its response is unusable.'),
  error('OperationTimeout', 'The model did not respond in time.'),
  NO_MODEL,
];
export const KNOWLEDGE_BASE = unknown('The knowledge base in the tags does not exist.');
export const DEREFERENCING = [
  unknown('An interface or integration does not exist.'),
  limit('The definition is too large.'),
];
