/** Payloads of messages, by their `type`. */
import { shapeIn } from '#shared/api/reference/fieldTexts.ts';

const url = (kind: string) =>
  `Address of ${kind}, which clients load directly. Use https, or a data URL for small content.`;

const TEXTS = {
  type: 'Kind of the payload, which determines its other fields.',
  text: 'Plain text of the message. Clients display it without formatting.',
  markdown: 'Text in Markdown. Clients that do not support it show the source.',
  imageUrl: url('the image'),
  audioUrl: url('the audio recording'),
  videoUrl: url('the video'),
  fileUrl: url('the file'),
};

/** Both forms of an item in a bloc: its content beside its type, or in `payload`. */
const formsOf = (type: string) => [type, `bloc.items.${type}.payload`];

export const payloads = [
  shapeIn('chat', ['payload', 'bloc.items'], {
    text: 'Text without formatting.',
    markdown: 'Text with formatting.',
    image: 'Image, which clients display in the conversation.',
    audio: 'Audio recording, which clients play.',
    video: 'Video, which clients play.',
    file: 'File to download.',
    location: 'Place on a map.',
  }),
  shapeIn('chat', ['payload'], {
    card: 'Image, texts and buttons in a frame.',
    carousel: 'Row of cards.',
    choice: 'Question with a button for each answer.',
    dropdown: 'Question with a menu of answers.',
    bloc: 'Several payloads in one message. Only in extended installations.',
  }),
  shapeIn('chat', formsOf('text'), { text: TEXTS.text }),
  shapeIn('chat', formsOf('markdown'), { markdown: TEXTS.markdown }),
  shapeIn('chat', formsOf('image'), { imageUrl: TEXTS.imageUrl }),
  shapeIn('chat', formsOf('audio'), { audioUrl: TEXTS.audioUrl }),
  shapeIn('chat', formsOf('video'), { videoUrl: TEXTS.videoUrl }),
  shapeIn('chat', formsOf('file'), {
    fileUrl: TEXTS.fileUrl,
    title: 'Name of the file, which clients show.',
  }),
  shapeIn('chat', formsOf('location'), {
    latitude: 'Latitude in decimal degrees (WGS 84), for example `45.5019`. Positive values are north.',
    longitude: 'Longitude in decimal degrees (WGS 84), for example `-73.5674`. Negative values are west.',
    address: 'Postal address of the place, for people.',
    title: 'Name of the place, for example `Office`.',
  }),
  shapeIn('chat', ['card', 'carousel.items'], {
    title: 'Heading of the card.',
    subtitle: 'Text below the heading.',
    imageUrl: 'Address of an image above the heading. Without it, the card has no image.',
    actions: 'Buttons of the card, in their order. May be empty.',
    'actions.action':
      'Effect of a click: `postback` and `say` send `value` as a message of the user, `url` opens it in a new tab.',
    'actions.label': 'Text on the button.',
    'actions.value': 'Message to send, or address to open, depending on `action`.',
  }),
  shapeIn('chat', ['carousel'], {
    items: 'Cards with the fields of `card` except `type`, which clients show side by side in this order.',
  }),
  shapeIn('chat', ['choice', 'dropdown'], {
    text: 'Question above the options.',
    'options.label': 'Text of the option, which clients show.',
    'options.value': 'Text that the client sends as the message of the user who selects the option.',
  }),
  shapeIn('chat', ['choice'], { options: 'Answers, shown as buttons. The user selects one.' }),
  shapeIn('chat', ['dropdown'], { options: 'Answers, shown in a menu. The user selects one.' }),
  shapeIn('chat', ['bloc'], { items: 'Payloads that form one message, shown below each other.' }),
  shapeIn(
    'chat',
    ['text', 'markdown', 'image', 'audio', 'video', 'file', 'location'].map(type => `bloc.items.${type}`),
    { payload: 'Content of the item, in the form that bot-level chat uses. Its fields may also stand beside `type`.' },
  ),
  shapeIn(
    'chat',
    [
      ...['text', 'markdown', 'image', 'audio', 'video', 'file', 'location'],
      ...['card', 'carousel', 'choice', 'dropdown', 'bloc'],
    ],
    { type: TEXTS.type },
  ),
];
