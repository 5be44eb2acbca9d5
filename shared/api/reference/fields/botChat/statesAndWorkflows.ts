import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

const EXPIRY = 'Idle time in milliseconds after which the state is deleted. Changes restart it, reads do not.';

export const states = [
  shapeIn('botChat', ['state', 'states'], {
    id: 'Id of the state. Operations identify a state by owner, type and name instead.',
    createdAt: 'Time at which the state was set for the first time.',
    updatedAt: 'Time of the last change of the payload or expiry.',
    botId: 'Bot to which the state belongs.',
    conversationId: 'Conversation that owns the state, for the type `conversation`.',
    userId: 'User who owns the state, for the type `user`.',
    name: 'Name of the state. States of an integration have its alias as prefix for the bot.',
    type: 'Kind of the owner.',
    expiry: EXPIRY,
    expiresAt: 'Time at which the state is deleted unless it changes. Absent without `expiry`.',
  }),
  shapeIn('botChat', ['state'], {
    payload: 'JSON object that the bot or integration stored.',
  }),
  shapeIn('botChat', ['states'], {
    ownerId: 'Owner of the state, to use as `id` in the path of other operations on states.',
    isInstalled: 'False if the state belongs to an integration that was uninstalled.',
  }),
  shapeIn('botChat', ['setState.body', 'getOrSetState.body', 'patchState.body', 'setStateExpiry.body'], {
    expiry: `${EXPIRY} Null removes the expiry.`,
  }),
  shapeIn('botChat', ['setState.body'], {
    payload: 'JSON object that replaces the previous one. Null removes the state.',
  }),
  shapeIn('botChat', ['getOrSetState.body'], { payload: 'JSON object to store if the state does not exist.' }),
  shapeIn('botChat', ['patchState.body'], {
    payload: 'Keys to set in the stored object. Other keys do not change. Null is stored as a value.',
  }),
  anywhereIn('botChat', {
    'output.state': 'The state after the call.',
    'output.states': 'States of the bot and its integrations, without payloads.',
    'meta.cached': 'Always false, because responses are not cached.',
  }),
];

export const workflows = [
  shapeIn('botChat', ['workflow', 'workflows', 'childWorkflow'], {
    id: 'Id of the workflow, `wf_` and 25 characters.',
    name: 'Name of the workflow in the definition of the bot.',
    status: 'State of the workflow. `completed`, `failed`, `timedout` and `cancelled` are final.',
    input: 'JSON object with which the workflow was started.',
    output: 'JSON object with the result. Empty until the bot sets it.',
    parentWorkflowId: 'Workflow that started this one, which receives an event when this one ends.',
    conversationId: 'Conversation in which the workflow runs.',
    userId: 'User for whom the workflow runs.',
    createdAt: 'Time at which the workflow was started.',
    updatedAt: 'Time of the last change of the workflow.',
    completedAt: 'Time at which the workflow reached a final status.',
    failureReason: 'Reason of the failure, as the bot gave it.',
    timeoutAt: 'Time at which an unfinished workflow becomes `timedout`.',
    tags: 'Tags by name.',
  }),
  shapeIn('botChat', ['createWorkflow.body', 'getOrCreateWorkflow.body'], {
    name: 'Name of the workflow in the definition of the bot.',
    input: 'JSON object that the workflow receives.',
    parentWorkflowId: 'Workflow that starts this one.',
    conversationId: 'Conversation in which the workflow runs. It becomes the current workflow of the conversation.',
    userId: 'User for whom the workflow runs.',
    timeoutAt: 'Time at which the workflow times out, up to a year ahead. Default: in 24 hours.',
    tags: 'Tags by name. Get-or-create finds the workflow by them.',
    status: 'Initial state. `in_progress` requires `eventId`.',
    eventId: 'Event in whose handling the workflow runs. Required for `in_progress`.',
  }),
  shapeIn('botChat', ['getOrCreateWorkflow.body'], {
    discriminateByStatusGroup: 'Considers only `active` or only `finished` workflows. Default: all.',
  }),
  shapeIn('botChat', ['updateWorkflow.body'], {
    output: 'JSON object with the result, which replaces the previous one.',
    timeoutAt: 'New time at which the workflow times out, up to a year ahead.',
    status: 'New state. A final state cannot change any more.',
    failureReason: 'Reason of the failure, for the status `failed`.',
    tags: 'Tags to set, by name. Null or an empty value removes a tag. Others do not change.',
    userId: 'User for whom the workflow runs from now on.',
    eventId: 'Event in whose handling the workflow continues. Required for `in_progress`.',
  }),
  anywhereIn('botChat', {
    'output.workflow': 'The workflow after the call.',
    'output.workflows': 'Workflows that match the filters, newest first.',
  }),
];

export const actions = [
  shapeIn('botChat', ['callAction'], {
    'body.type': 'Action to run: `<alias>:<action>` of an integration, or the name of an action of the bot.',
    'body.input': 'Input of the action, which must match its schema.',
    'output.output': 'Output of the action. Undeclared fields are preserved.',
  }),
  shapeIn('botChat', ['configureIntegration.body'], {
    identifier: 'Text by which the integration recognizes the installation, sent with later calls. Null removes it.',
    scheduleRegisterCall: 'Interval at which the platform registers the installation again.',
    sandboxIdentifiers: 'Stored for the contract, without effect. Null removes it.',
  }),
  shapeIn('botChat', ['listTagValues.output'], {
    tags: 'Values that records of the bot have for the tag.',
    'tags.value': 'One value of the tag.',
  }),
];
