/** Texts with edge cases of Unicode and syntax. */
export const AWKWARD_TEXTS: Record<string, string> = {
  'an empty text': '',
  'only spaces': ' \t\n ',
  'only stop words': 'what is it that you are',
  'only marks': '?!… --- "" #',
  emoji: '👩‍👩‍👧‍👦 🎉🏳️‍🌈',
  Chinese: '我想知道如何重置我的密码',
  Japanese: '東京スカイツリーの高さは何メートルですか',
  Thai: 'ฉันจะรีเซ็ตรหัสผ่านได้อย่างไร',
  Arabic: 'كيف يمكنني إعادة تعيين كلمة المرور؟',
  Hebrew: 'איך אפשר לאפס את הסיסמה שלי?',
  'half a surrogate pair': 'broken \ud83d text',
  'a very long word': 'x'.repeat(1_024),
  '1 KB of different words': Array.from({ length: 200 }, (_, i) => `w${i * 7}`)
    .join(' ')
    .slice(0, 1_024),
  'what looks like an expression': '{"$in": [1]} #pk = :pk %00 <b> \u0000',
};
