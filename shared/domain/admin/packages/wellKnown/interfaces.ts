/** The interfaces that the public integrations and plugins of the ecosystem name, under the same names and versions. */
import { hitl, messageState, proactiveConversation, proactiveUser, typingIndicator } from './conversations.ts';
import { filesReadonly } from './files.ts';
import { creatable, deletable, listable, readable, updatable } from './items.ts';
import { llm, speechToText, textToImage } from './models.ts';

export const WELL_KNOWN_INTERFACES = [
  creatable,
  deletable,
  filesReadonly,
  hitl,
  listable,
  llm,
  messageState,
  proactiveConversation,
  proactiveUser,
  readable,
  speechToText,
  textToImage,
  typingIndicator,
  updatable,
];
