import { expect, test } from 'vitest';
import { type HtmlValue, html, raw, renderToString } from '../../src/pages/html.ts';

const hostile = `"><img src=x onerror=alert(1)> & '`;

test('text from outside cannot end an element or an attribute', () => {
  const markup = renderToString(html`<p title="${hostile}" class='${hostile}'>${hostile}</p>`);
  const escaped = '&quot;&gt;&lt;img src=x onerror=alert(1)&gt; &amp; &#39;';
  expect(markup).toBe(`<p title="${escaped}" class='${escaped}'>${escaped}</p>`);
});

test('templates nest, lists are joined, and nothing comes of nothing', () => {
  const items = ['a<b', html`<b>${'c&d'}</b>`, null, undefined, false as const, 0, 12n, ['e', ['f']]];
  expect(renderToString(html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>${items}`)).toBe(
    '<ul><li>a&lt;b</li><li><b>c&amp;d</b></li><li></li><li></li><li></li><li>0</li><li>12</li><li>ef</li></ul>' +
      'a&lt;b<b>c&amp;d</b>012ef',
  );
});

test('only what is marked raw passes as it is', () => {
  expect(renderToString(html`${raw('<svg/>')}${'<svg/>'}`)).toBe('<svg/>&lt;svg/&gt;');
  const parsed = JSON.parse('{"markup":"<svg/>"}') as HtmlValue;
  expect(renderToString(html`${parsed}`)).not.toContain('<svg/>');
});
