import { describe, expect, it } from 'vitest';
import { readVocabulary, readWeights } from '#shared/ai/embedders/local/readWeights.ts';
import { openEncoder, PIECES_LIMIT } from '#shared/ai/embedders/local/sentenceEncoder.ts';
import { isEnglish, openTextEmbedder } from '#shared/ai/embedders/local/textEmbedder.ts';
import { openWordPieces } from '#shared/ai/embedders/local/wordPieces.ts';
import { dotProduct, normalise } from '#shared/ai/vectors.ts';
import { corpus, questions } from '#test/bench/corpus.ts';
import { AWKWARD_TEXTS } from '#test/shared/ai/search/awkwardTexts.ts';
import { ENGLISH, openReference } from './reference.ts';

/** Components of a vector are around 0.04, and 32-bit floats have seven digits. */
const TOLERANCE = 2e-6;

const embed = openTextEmbedder();
const encode = openEncoder(readWeights());
const split = openWordPieces(readVocabulary());
const similarity = (a: string, b: string) => dotProduct(embed(a)!, embed(b)!);

describe('the sentence encoder', () => {
  it('computes the same vectors as the reference implementation', async () => {
    const reference = await openReference();

    for (const text of ENGLISH) {
      const expected = await reference.embed(text);
      const vector = encode(split(text).ids);
      const largest = Math.max(...expected.map((value, i) => Math.abs(value - vector[i]!)));
      expect(largest, text).toBeLessThan(TOLERANCE);
    }
  });

  it('computes the same vector again after a longer and a shorter text', () => {
    const [first, ...others] = ['How do I get my money back?', 'dog '.repeat(100), 'cat'].map(text => split(text).ids);
    const vector = encode(first!);

    for (const ids of others) encode(ids);

    expect(encode(first!)).toEqual(vector);
  });

  it('names the missing weights', () => {
    const weightsOf = readWeights();

    expect(() => weightsOf('no/such')).toThrow('no weights no/such');
  });
});

describe('the text embedder', () => {
  it('places texts with the same meaning close together, and others apart', () => {
    expect(similarity('car', 'automobile')).toBeGreaterThan(similarity('car', 'cheese') + 0.2);
    expect(similarity('How do I get my money back?', 'Refunds are issued within 14 days.')).toBeGreaterThan(
      similarity('How do I get my money back?', 'The office opens at nine on Mondays.') + 0.1,
    );
  });

  it('embeds a long text as the mean of equal parts', () => {
    const text = Array.from({ length: 60 }, (_, i) => `The rule of day ${i} says that dogs must stay outside.`).join(
      ' ',
    );
    const { ids } = split(text);
    const parts = Math.ceil(ids.length / PIECES_LIMIT);
    expect(parts).toBeGreaterThan(2);

    const length = Math.ceil(ids.length / parts);
    const vectors = Array.from({ length: parts }, (_, i) => encode(ids.slice(i * length, (i + 1) * length)));
    const mean = normalise(vectors[0]!.map((_, i) => vectors.reduce((sum, vector) => sum + vector[i]!, 0)));

    expect(dotProduct(embed(text)!, mean)).toBeCloseTo(1, 6);
  });

  it.each([
    ['Chinese', '退款将在十四天内完成。'],
    ['Japanese', '返金は14日以内に行われます。'],
    ['Korean', '환불은 14일 이내에 이루어집니다.'],
    ['Arabic', 'تتم عمليات استرداد الأموال في غضون أربعة عشر يومًا.'],
    ['Hindi', 'रिफंड चौदह दिनों के भीतर जारी किए जाते हैं।'],
    ['Greek', 'Οι επιστροφές χρημάτων γίνονται εντός δεκατεσσάρων ημερών.'],
    ['Russian', 'Возврат средств осуществляется в течение четырнадцати дней.'],
    ['Vietnamese', 'Tiền hoàn lại được thực hiện trong vòng mười bốn ngày.'],
    ['German', 'Rückerstattungen werden innerhalb von 14 Tagen nach Eingang der Ware ausgezahlt.'],
    ['a German question', 'Wie bekomme ich mein Geld zurück?'],
    ['French', 'Les remboursements sont effectués dans un délai de quatorze jours.'],
    ['Spanish', 'Los reembolsos se realizan en un plazo de catorce días.'],
    ['Italian', 'I rimborsi vengono effettuati entro quattordici giorni dal ricevimento.'],
    ['Dutch', 'Terugbetalingen worden binnen veertien dagen gedaan.'],
    ['Polish', 'Zwroty są realizowane w ciągu czternastu dni od otrzymania towaru.'],
    ['Turkish', 'İadeler on dört gün içinde yapılır.'],
    ['part numbers', 'SKU 4432-AB, 12 pcs; SKU 4433-AC, 6 pcs'],
    ['nothing', ' \n'],
  ])('returns no vector for %s', (_, text) => {
    expect(embed(text)).toBeUndefined();
  });

  it('represents the passages of the bench corpus, and its questions in common words', () => {
    const passages = [...corpus({ minimumParagraphLength: 100, maximumChunkLength: 1_000 }).values()].flat();
    const asked = questions.filter(({ kind }) => kind !== 'rare').map(({ question }) => question);

    expect([...passages, ...asked].filter(text => !isEnglish(split(text)))).toEqual([]);
  });

  it.each([
    'Great service, thanks 😀',
    'The order of 你好 Trading Limited was shipped',
    'Error E1234 on startup of the XR-500 router',
  ])('represents English with names and numbers: %s', text => {
    expect(dotProduct(embed(text)!, embed(text)!)).toBeCloseTo(1, 5);
  });

  it.each(Object.entries(AWKWARD_TEXTS))('accepts %s', (_, text) => {
    const vector = embed(text);

    if (vector) expect(dotProduct(vector, vector)).toBeCloseTo(1, 5);
  });
});
