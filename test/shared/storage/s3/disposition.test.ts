import { parse } from 'content-disposition';
import { describe, expect, it } from 'vitest';
import { dispositionOf } from '#shared/storage/s3/disposition.ts';
import fc from '#test/support/fastCheck.ts';

describe('a Content-Disposition', () => {
  it.each([
    ['application/pdf', 'invoice 7.pdf', 'attachment; filename="invoice 7.pdf"'],
    ['image/png', 'photo.PNG', 'inline; filename=photo.PNG'],
    ['text/html', 'page.html', 'attachment; filename=page.html'],
    ['text/plain', 'Prüfung.txt', `inline; filename="Pr?fung.txt"; filename*=UTF-8''Pr%C3%BCfung.txt`],
    [
      'application/zip',
      '価格😀.zip',
      `attachment; filename="????.zip"; filename*=UTF-8''%E4%BE%A1%E6%A0%BC%F0%9F%98%80.zip`,
    ],
    ['application/zip', '50%25.zip', `attachment; filename=50%25.zip; filename*=UTF-8''50%2525.zip`],
  ])('maps the type %s and the name %s to %s', (type, name, expected) => {
    expect(dispositionOf(type, name)).toBe(expected);
  });

  it.each([
    ['a\\b/c:d*e?f"g<h>i|j.txt', 'a_b_c_d_e_f_g_h_i_j.txt'],
    ['photo_\u202egnp.exe', 'photo_gnp.exe'],
    ['a\r\nset-cookie: b', 'aset-cookie_ b'],
    ['..', 'file'],
    ['', 'file'],
    [' \u200b', 'file'],
    ['name. ', 'name'],
    ['.gitignore', '.gitignore'],
    [`${'é'.repeat(500)}.tar.gz`, `${'é'.repeat(98)}.gz`],
    [`${'価'.repeat(340)}.pdf`, `${'価'.repeat(65)}.pdf`],
    [`${'x'.repeat(193)}😀.jpg`, `${'x'.repeat(193)}.jpg`],
  ])('saves %j as %j', (name, saved) => {
    expect(parse(dispositionOf('application/zip', name)).parameters.filename).toBe(saved);
  });

  it('is printable ASCII with a name, for any key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), name => {
        const disposition = dispositionOf('application/zip', name);

        expect(disposition).toMatch(/^[\x20-\x7e]+$/);
        const { filename } = parse(disposition).parameters;
        expect(filename).toMatch(/^[^\\/:*?"<>|\p{Cc}]+$/u);
        // Linux and macOS permit 255.
        expect(Buffer.byteLength(filename!)).toBeLessThanOrEqual(200);
      }),
    );
  });
});
