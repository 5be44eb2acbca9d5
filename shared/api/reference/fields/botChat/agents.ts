/** Agents of the inbox, and its settings. */
import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

const AVAILABILITY =
  '`online` agents receive automatic assignments while their console is connected, `away` agents do not.';
const CHANGED_AT = 'Time at which the member last set it. Absent before.';

export const agents = [
  shapeIn('botChat', ['agents'], {
    id: 'Account of the member, for `accountId` of `assignHandoff`.',
    name: 'Display name, or email address without one.',
    pictureUrl: 'Address or data URL of the profile picture.',
    role: 'Role of the member in the workspace.',
    botIds: 'Bots to which the agent is limited. Absent for all bots.',
    availability: `${AVAILABILITY} Default: \`online\` for the role \`agent\`, \`away\` for others.`,
    availabilityChangedAt: CHANGED_AT,
    isConnected: 'True while a console of the member is connected to the inbox.',
    openCount: 'Number of open conversations that are assigned to the member, in all bots. May be a second late.',
  }),
  shapeIn('botChat', ['setInboxAvailability.body', 'setInboxAvailability.output'], { availability: AVAILABILITY }),
  shapeIn('botChat', ['countInboxHandoffs.output'], {
    availability: `${AVAILABILITY} Of the caller; absent if they cannot be assigned to conversations.`,
  }),
  shapeIn('botChat', ['setInboxAvailability.output'], { availabilityChangedAt: 'Time of the call.' }),
  shapeIn('botChat', ['settings', 'updateInboxSettings.body'], {
    assignment: '`manual`, or `automatic` to assign waiting conversations to available agents. Default: `manual`.',
    maxOpenPerAgent: 'Open conversations of an agent at which automatic assignment stops. Default: 5.',
    releaseAfterMinutes:
      'Minutes after which the conversations of a disconnected agent return to the queue. Null, the default, keeps them.',
  }),
  shapeIn('botChat', ['label', 'labels'], {
    id: 'Id of the label, `label_` and 22 characters.',
    name: 'Name of the label, unique in the workspace, ignoring case.',
    color: 'Color in which clients show the label.',
  }),
  shapeIn('botChat', ['createInboxLabel.body', 'updateInboxLabel.body'], {
    name: 'Name of the label, unique in the workspace, ignoring case.',
    color: 'Color in which clients show the label.',
  }),
  shapeIn('botChat', ['updateConversationLabels.body'], {
    add: 'Labels of the workspace to add. An unknown id returns 400.',
    remove: 'Labels to remove. Ids of deleted labels are accepted.',
  }),
  anywhereIn('botChat', {
    'output.label': 'The label after the call.',
    'output.labels': 'Labels of the workspace.',
    'output.agents': 'Members whose role may be assigned to conversations.',
    'output.settings': 'Settings of the inbox of the workspace.',
  }),
];
