import { describe, expect, it } from 'vitest';
import { chooseEncoding } from '#shared/core/encoding/chooseEncoding.ts';

/** Two foreign words in a long English text. */
const NAIVE = `naïve résumé of François. ${'The quick brown fox jumps over the lazy dog. '.repeat(30)}`;

/** Short texts, because longer ones are easy to tell apart. Bytes in hexadecimal. */
const SAMPLES: [encoding: string, text: string, bytes: string][] = [
  ['shift_jis', '商品,価格\nりんご,120\n', '8fa495692c89bf8a690a82e882f182b22c3132300a'],
  ['shift_jis', '氏名,住所\n山田太郎,東京都\n', '8e8196bc2c8f5a8f8a0a8e52936391be98592c938c8b9e93730a'],
  ['shift_jis', 'テスト', '836583588367'],
  ['gb18030', '退货须在十四天内提出', 'cdcbbbf5d0ebd4dacaaecbc4ccecc4dacce1b3f6'],
  ['gb18030', '姓名,城市\n李伟,北京\n', 'd0d5c3fb2cb3c7cad00ac0eeceb02cb1b1bea90a'],
  ['big5', '姓名,城市\n李偉,臺北\n', 'a96da6572cabb0a5ab0aa7f5b0b62cbb4fa55f0a'],
  [
    'big5',
    '退貨須在十四天內提出，倉庫檢驗後退款。',
    'b068b366b6b7a662a451a57ca4d1a4bab4a3a558a141addcae77c0cbc5e7abe1b068b4daa143',
  ],
  ['euc-jp', '返品は十四日以内', 'cad6c9caa4cfbdbdbbcdc6fcb0cac6e2'],
  ['euc-kr', '반품은 14일 이내에 가능합니다', 'b9ddc7b0c0ba203134c0cf20c0ccb3bbbfa120b0a1b4c9c7d5b4cfb4d9'],
  ['euc-kr', '이름,도시\n김철수,서울\n', 'c0ccb8a72cb5b5bdc30ab1e8c3b6bcf62cbcadbfef0a'],
  ['windows-1251', 'Возврат товара', 'c2eee7e2f0e0f220f2eee2e0f0e0'],
  ['windows-1251', 'Имя;Город\nИван;Москва\n', 'c8ecff3bc3eef0eee40ac8e2e0ed3bcceef1eae2e00a'],
  ['koi8-r', 'Возврат товара в течение', 'f7cfdad7d2c1d420d4cfd7c1d2c120d720d4c5dec5cec9c5'],
  [
    'windows-1250',
    'Příliš žluťoučký kůň úpěl ďábelské ódy',
    '50f8ed6c699a209e6c759d6f75e86bfd206bf9f220fa70ec6c20efe162656c736be920f36479',
  ],
  ['windows-1250', 'Dvořák;Plzeň\nNovák;Brno\n', '44766ff8e16b3b506c7a65f20a4e6f76e16b3b42726e6f0a'],
  ['windows-1250', 'Őrült tűz, megrendelés', 'd572fc6c742074fb7a2c206d656772656e64656ce973'],
  ['windows-1250', 'imię;miasto\nŁukasz;Łódź\n', '696d69ea3b6d696173746f0aa3756b61737a3ba3f3649f0a'],
  [
    'windows-1250',
    'Zwrot towaru możliwy w ciągu czternastu dni',
    '5a77726f7420746f77617275206d6fbf6c6977792077206369b9677520637a7465726e6173747520646e69',
  ],
  ['iso-8859-2', 'Zażółć gęślą jaźń', '5a61bff3b3e62067eab66cb1206a61bcf1'],
  ['windows-1253', 'Επιστροφή προϊόντος', 'c5f0e9f3f4f1eff6de20f0f1effafcedf4eff2'],
  [
    'windows-1254',
    'İade süresi on dört gündür, ışık şeker',
    'dd6164652073fc72657369206f6e2064f672742067fc6e64fc722c20fdfefd6b20fe656b6572',
  ],
  ['windows-1255', 'החזרה תוך ארבעה עשר', 'e4e7e6f8e420fae5ea20e0f8e1f2e420f2f9f8'],
  ['windows-1256', 'الإرجاع خلال أربعة عشر', 'c7e1c5d1ccc7da20cee1c7e120c3d1c8dac920dad4d1'],
  [
    'windows-1252',
    'Rückgabe möglich, Größe, “quoted” café',
    '52fc636b67616265206df6676c6963682c204772f6df652c209371756f7465649420636166e9',
  ],
  ['windows-1252', 'Müller;Straße 5\nJosé;Peña\n', '4dfc6c6c65723b53747261df6520350a4a6f73e93b5065f1610a'],
  ['windows-1252', 'grün €', '6772fc6e2080'],
  ['windows-1252', 'price: 5 €', '70726963653a20352080'],
  [
    'windows-1252',
    'Très chère élève à Genève, où êtes-vous?',
    '5472e873206368e8726520e96ce8766520e02047656ee876652c206ff920ea7465732d766f75733f',
  ],
  ['windows-1252', 'Rødgrød med fløde på Ærø', '52f8646772f864206d656420666cf864652070e520c672f8'],
  ['windows-1252', 'São Paulo; João; ações', '53e36f205061756c6f3b204a6fe36f3b2061e7f56573'],
  ['windows-1252', 'perché è così, più', '7065726368e920e820636f73ec2c207069f9'],
  ['windows-1252', 'café', '636166e9'],
  ['windows-1252', NAIVE, Buffer.from(NAIVE, 'latin1').toString('hex')],
];

const choose = (bytes: Uint8Array | string, contentType = '', isWhole = true) =>
  chooseEncoding(Buffer.from(bytes as string), { contentType, isWhole });
const hex = (digits: string) => Buffer.from(digits, 'hex');
const decode = (encoding: string | undefined, bytes: Uint8Array) => new TextDecoder(encoding).decode(bytes);

describe('the encoding of a text', () => {
  it.each(SAMPLES)('is detected: %s, %j', async (_, text, digits) => {
    const bytes = hex(digits);

    expect(decode(await choose(bytes), bytes)).toBe(text);
  });

  it('is declared by the content type', async () => {
    const bytes = Buffer.from('\u4e2d\u6587', 'utf16le');

    expect(await choose(bytes, 'text/plain; charset=utf-16le')).toBe('utf-16le');
    expect(await choose(hex('cff0e8'), 'text/plain; charset="windows-1251"')).toBe('windows-1251');
  });

  it.each([
    ['<?xml version="1.0" encoding="windows-1251"?><a>', '</a>'],
    ['<html><meta charset=windows-1251>', '</html>'],
    ['<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', ''],
  ])('is declared by its start: %s', async (start, end) => {
    const bytes = Buffer.concat([Buffer.from(start), hex('ef'), Buffer.from(end)]);

    expect(await choose(bytes)).toBe('windows-1251');
  });

  it('is UTF-8 despite a declaration, if the bytes are valid', async () => {
    expect(await choose('grün', 'text/plain; charset=iso-8859-1')).toBe('utf-8');
  });

  it('is detected if the bytes contradict the declaration, or if nothing has the declared name', async () => {
    const cyrillic = hex(SAMPLES.find(([encoding]) => encoding === 'windows-1251')![2]);

    expect(await choose(cyrillic, 'text/plain; charset=utf-8')).toBe('windows-1251');
    expect(await choose(cyrillic, 'text/plain; charset=gb18030')).toBe('windows-1251');
    expect(await choose(cyrillic, 'text/plain; charset=klingon')).toBe('windows-1251');
  });

  it('is UTF-16 without a byte order mark if letters of ASCII have zeros beside them', async () => {
    expect(await choose(Buffer.from('name,town', 'utf16le'))).toBe('utf-16le');
    expect(await choose(Buffer.from('name,town', 'utf16le').swap16())).toBe('utf-16be');
  });

  it('is ISO-2022-JP by its escape sequences, although its bytes are ASCII', async () => {
    const bytes = Buffer.from('\x1b$BJ]>Z\x1b(B');

    expect(decode(await choose(bytes), bytes)).toBe('保証');
  });

  it('is UTF-8 with a few invalid bytes, or with a character that is cut at the end of the start', async () => {
    expect(await choose(Buffer.concat([Buffer.from('grün '.repeat(20)), Buffer.of(0xff)]))).toBe('utf-8');
    expect(await choose(Buffer.from('退').subarray(0, 2), '', false)).toBe('utf-8');
  });

  it('is unknown if no encoding gives plausible words', async () => {
    // An encoding of MS-8fe0a8a2a5e220aca8e02c20aaa0aa20a4a5aba020e320a2a0e1.
    expect(await choose(hex('8fe0a8a2a5e220aca8e02c20aaa0aa20a4a5aba020e320a2a0e1'))).toBeUndefined();
    expect(
      await choose(Buffer.from(Array.from({ length: 500 }, (_, index) => 128 + ((index * 37) % 128)))),
    ).toBeUndefined();
  });

  it('does not matter for a stray byte in a long text', async () => {
    expect(await choose(Buffer.concat([Buffer.from('word '.repeat(1_000)), Buffer.of(0x81)]))).toBe('windows-1252');
  });
});
