/** Integrations, interfaces and plugins: versions under a name. */
import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

const VISIBILITY = '`private` to the workspace, `unlisted` to those who have the id, or `public` in the hub.';

const VERSION = {
  name: 'Name, optionally after the handle of a workspace: `telegram` or `acme/mail`.',
  version: 'Semantic version. A name has any number of versions, each with its own id.',
  title: 'Name for people.',
  description: 'Explanation for people.',
  createdAt: 'Time at which the version was created.',
  updatedAt: 'Time of the last change of the version.',
  iconUrl: 'URL of the icon, valid for one hour. Empty without an icon.',
  readmeUrl: 'URL of the readme in Markdown, valid for one hour. Empty without a readme.',
  public: 'True if `visibility` is `public`.',
  visibility: VISIBILITY,
  lifecycleStatus: 'Always `published`.',
  verificationStatus: 'Always `unapproved`, because the platform has no approval.',
};

const INPUT = {
  name: 'Name, optionally after the handle of the workspace. A public name belongs to one workspace.',
  version: 'Semantic version, which must be new for the name.',
  title: 'Name for people.',
  description: 'Explanation for people.',
  icon: 'Icon, PNG or SVG, in base64.',
  readme: 'Readme in Markdown, in base64.',
  public: 'True for `visibility: public`. Send `visibility` instead.',
};

const bodiesOf = (kind: string) => [`create${kind}.body`, `update${kind}.body`];
const INTEGRATION_BODIES = [
  ...bodiesOf('Integration'),
  'validateIntegrationCreation.body',
  'validateIntegrationUpdate.body',
];
const CREATED = ['createIntegration.body', 'validateIntegrationCreation.body'];
const { name, version, ...settings } = INPUT;

export const packages = [
  shapeIn(
    'admin',
    ['integration', 'integrations', 'interface', 'interfaces', 'plugin', 'plugins'].map(each => `output.${each}`),
    (({ visibility, lifecycleStatus, verificationStatus, readmeUrl, ...shared }) => shared)(VERSION),
  ),
  shapeIn(
    'admin',
    ['integration', 'integrations', 'plugin', 'plugins'].map(each => `output.${each}`),
    {
      visibility: VISIBILITY,
      lifecycleStatus: VERSION.lifecycleStatus,
    },
  ),
  shapeIn(
    'admin',
    ['integration', 'interface', 'interfaces', 'plugin', 'plugins'].map(each => `output.${each}`),
    { readmeUrl: VERSION.readmeUrl },
  ),
  shapeIn('admin', [...CREATED, 'createInterface.body', 'createPlugin.body'], { name, version }),
  shapeIn('admin', [...INTEGRATION_BODIES, ...bodiesOf('Interface'), ...bodiesOf('Plugin')], settings),
  shapeIn('admin', [...INTEGRATION_BODIES, ...bodiesOf('Plugin')], { visibility: `${VISIBILITY} Default: private.` }),
];

export const integrations = [
  shapeIn('admin', ['output.integration', 'output.integrations'], {
    id: 'Id of this version, `intver_` and 22 characters. Installations refer to it.',
    verificationStatus: VERSION.verificationStatus,
    ownerWorkspace: 'Workspace that published the integration.',
    'ownerWorkspace.id': 'Id of the workspace.',
    'ownerWorkspace.handle': 'Unique handle of the workspace. Null without one.',
    'ownerWorkspace.name': 'Name of the workspace.',
    meta: 'Counters of the hub.',
    'meta.installs': 'Number of bots on which the version is installed.',
    'meta.views': 'Always 0, because views are not counted.',
  }),
  shapeIn('admin', ['output.integrations'], {
    matchedOn: 'Fields that contain the words of `search`. Absent without a search.',
    'matchedOn.name': 'True if the name contains the words.',
    'matchedOn.title': 'True if the title contains the words.',
    'matchedOn.description': 'True if the description contains the words.',
    'matchedOn.actions': 'Actions whose names contain the words.',
    'matchedOn.interfaces': 'Interfaces whose names contain the words.',
  }),
  shapeIn('admin', ['output.integration'], {
    identifier: 'Scripts of the definition. The platform does not run them.',
    maxExecutionTime: 'Maximum duration of a call of the deployed code, in seconds.',
    url: 'Endpoint to which calls are posted. Empty with deployed code, and for other workspaces.',
    signingSecret: 'Secret that signs calls of the endpoint. Empty except in the response that creates it.',
    interfaces: 'Interfaces that the integration implements, by name.',
    user: 'Settings of users of the integration.',
    dev: 'True for a development version, which `bp dev` creates.',
    secrets: 'Names of the secrets. Their values are never returned.',
  }),
  shapeIn('admin', INTEGRATION_BODIES, {
    identifier: 'Scripts of the definition. The platform does not run them.',
    user: 'Settings of users of the integration.',
    interfaces: 'Interfaces that the integration implements, by name.',
    extraOperations: 'Optional operations of the integration, by name. Stored and not interpreted.',
    'extraOperations.*.enabled': 'True if the integration supports the operation.',
    secrets: 'Secrets of the deployed code, by name. They are its variables `SECRET_<NAME>`. Null removes one.',
    code: 'Bundle of CommonJS that exports `handler`, which the platform runs in the absence of a `url`.',
    sourceMap: 'JSON of the source map of `code`, with which stack traces name lines of the source.',
    layers: 'Layers of the deployed code. Stored and not interpreted.',
    url: 'Endpoint to which the platform posts calls. It takes precedence over `code`.',
  }),
  shapeIn('admin', CREATED, { dev: 'True creates a development version, which the hub never contains.' }),
  shapeIn('admin', ['updateIntegration.body', 'validateIntegrationUpdate.body'], {
    maxExecutionTime: 'Maximum duration of a call of the deployed code, in seconds. Default: 60.',
  }),
  anywhereIn('admin', {
    'identifier.fallbackHandlerScript': 'Script for requests without an installation. Stored and not run.',
    'identifier.extractScript': 'Script that finds the installation of a request. Stored and not run.',
  }),
  shapeIn('admin', ['interfaces.*'], {
    id: 'Id of the interface.',
    entities: 'Entities of the integration, by those of the interface.',
    'entities.*.name': 'Name in the definition of the integration.',
    actions: 'Actions of the integration, by those of the interface.',
    'actions.*.name': 'Name in the definition of the integration.',
    events: 'Events of the integration, by those of the interface.',
    'events.*.name': 'Name in the definition of the integration.',
    channels: 'Channels of the integration, by those of the interface.',
    'channels.*.name': 'Name in the definition of the integration.',
  }),
  anywhereIn('admin', {
    'output.integration': 'The integration after the call.',
    'output.integrations': 'Integrations that match the filters.',
  }),
];

export const interfacesAndPlugins = [
  shapeIn('admin', ['output.interface', 'output.interfaces'], {
    id: 'Id of this version, `ifver_` and 26 characters.',
  }),
  anywhereIn('admin', {
    'output.interface': 'The interface after the call.',
    'output.interfaces': 'Interfaces that match the filters.',
    nameTemplate: 'Rule for the names of implementing entities. Stored and not run.',
    'nameTemplate.script': 'Text of the rule.',
    'nameTemplate.language': 'Language of the rule, for example `handlebars`.',
    'output.plugin': 'The plugin after the call.',
    'output.plugins': 'Plugins that match the filters.',
    dependencies: 'Packages that a bot with the plugin must install.',
    'dependencies.interfaces': 'Interfaces that the plugin uses, by its alias for them.',
    'dependencies.integrations': 'Integrations that the plugin uses, by its alias for them.',
  }),
  shapeIn('admin', ['dependencies.interfaces.*', 'dependencies.integrations.*'], {
    id: 'Id of the package. Send either the id, or name and version.',
    name: 'Name of the package.',
    version: 'Version of the package, or a range such as `^1.0.0`, which is resolved when it is written.',
  }),
  shapeIn('admin', ['output.plugin', 'output.plugins'], { id: 'Id of this version, `plugver_` and 26 characters.' }),
  shapeIn('admin', bodiesOf('Plugin'), {
    code: 'Code by platform. The platform stores and returns it, and does not run it.',
    'code.node': 'Code for Node.js.',
    'code.browser': 'Code for browsers.',
  }),
  shapeIn('admin', ['getPluginCode.output', 'getPublicPluginCode.output'], {
    code: 'Code of the plugin for the platform in the path.',
  }),
];
