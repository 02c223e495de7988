import { describe, expect, test } from 'vitest';
import { contentHash } from '../../../graphql-api/templates/content.ts';
import { diffTemplates, diffVariables } from '../../../graphql-api/templates/diff.ts';
import { renderTemplate } from '../../../graphql-api/templates/render.ts';
import { samplesOf, variablesOf } from '../../../graphql-api/templates/variables.ts';
import { link, versionOf } from './scene.ts';

const names = (body: string) =>
  versionOf('messaging_app', { body }).variables.map(({ name }) => name);

describe('variables', () => {
  test('come from the placeholders, each once, the body’s first', () => {
    const version = versionOf('messaging_app', {
      body: 'Hi {{ name }}, {{order.id}} is for {{name}}.',
      header: { type: 'text', text: 'For {{city}}' },
      buttons: [link('https://example.com/{{order.id}}'), link('https://example.com/{{token}}')],
    });
    expect(version.variables.map(({ name }) => name)).toEqual([
      'name',
      'order.id',
      'city',
      'token',
    ]);
  });

  test('have a default if each of their placeholders has one', () => {
    const [hi, twice] = versionOf('messaging_app', {
      body: 'Hi {{hi | default: "you"}}, {{twice | default: "x"}} or {{twice}}',
    }).variables;
    expect(hi).toMatchObject({ isRequired: false, fallback: 'you' });
    expect(twice).toMatchObject({ isRequired: true, fallback: 'x' });
  });

  test('of a registered text are counted, with the type of their tag', () => {
    const { variables } = versionOf('sms', { body: '{#var#} {{name}} {#numeric#}' });
    expect(variables.map(({ name, type }) => [name, type])).toEqual([
      ['var1', 'text'],
      ['name', 'text'],
      ['var2', 'number'],
    ]);
    expect(names('{#var#}')).toEqual([]);
  });

  test('have the given samples, otherwise generated ones', () => {
    const { variables } = versionOf('messaging_app', {
      body: '{{first_name}} {{order_id}} {{x}}',
      samples: { order_id: 'B7', unused: 'y' },
    });
    expect(samplesOf(variables)).toEqual({ first_name: 'Asha', order_id: 'B7', x: 'sample' });
  });

  test('can have the names of built-in properties of objects', () => {
    expect(names('{{constructor}} {{toString}}')).toEqual(['constructor', 'toString']);
    expect(samplesOf(versionOf('sms', { body: '{{constructor}}' }).variables)).toEqual({
      constructor: 'sample',
    });
    expect(renderTemplate(versionOf('sms', { body: '{{toString}}' }), 'sms', {}).missing).toEqual([
      'toString',
    ]);
  });
});

describe('a message', () => {
  test('has values and defaults, and reports missing ones', () => {
    const version = versionOf('messaging_app', {
      body: 'Hi {{name | default: "you"}}, {{order}} of {{shop}}.',
      buttons: [link('https://example.com/{{order}}')],
    });
    expect(renderTemplate(version, 'messaging_app', { order: 'A 1/2', shop: '' })).toMatchObject({
      body: 'Hi you, A 1/2 of .',
      buttons: [{ url: 'https://example.com/A%201%2F2' }],
      missing: ['shop'],
    });
  });

  test('to the messaging app has values on one line', () => {
    const version = versionOf('messaging_app', { body: 'For {{a}}.' });
    const { body } = renderTemplate(version, 'messaging_app', { a: 'x\n\ty      z' });
    expect(body).toBe('For x y    z.');
  });

  test('by email has no markup from values', () => {
    const version = versionOf('email', {
      body: '<b>{{a}}</b>',
      header: { type: 'text', text: 'For {{a}}' },
    });
    expect(renderTemplate(version, 'email', { a: '<script>"' })).toMatchObject({
      body: '<b>&lt;script&gt;&quot;</b>',
      header: { text: 'For <script>"' },
    });
  });

  test('by email has encoded values in URLs, and only web URLs', () => {
    const filled = (body: string, a: string) =>
      renderTemplate(versionOf('email', { body }), 'email', { a }).body;
    expect(filled('<a href="https://e.com/?n={{a}}&x=1">{{a}}</a>', 'A & B')).toBe(
      '<a href="https://e.com/?n=A%20%26%20B&x=1">A &amp; B</a>',
    );
    expect(filled("<img src='/i/{{a}}'>", "x' onerror='y")).toBe(
      "<img src='/i/x%27%20onerror%3D%27y'>",
    );
    expect(filled('<a href="{{a}}">', 'https://e.com/?a=1&b=2')).toBe(
      '<a href="https://e.com/?a=1&amp;b=2">',
    );
    expect(filled('<a href="{{a}}">', ' java\nscript:x()')).toBe('<a href="#">');
    expect(filled('<a href="tel:{{a}}">', '+91 1')).toBe('<a href="tel:+91 1">');
    const footer = versionOf('email', { body: 'x', footer: '{{a}}' });
    expect(renderTemplate(footer, 'email', { a: '<b>' }).footer).toBe('&lt;b&gt;');
  });

  test('accepts half a surrogate pair and a value of only spaces', () => {
    const version = versionOf('messaging_app', {
      body: 'For {{a}}.',
      buttons: [link('https://example.com/{{a}}')],
    });
    const { buttons } = renderTemplate(version, 'messaging_app', { a: '\ud800' });
    expect(buttons[0]!.url).toBe('https://example.com/%EF%BF%BD');
    const wide = `${' '.repeat(200_000)}x`;
    expect(renderTemplate(version, 'messaging_app', { a: wide }).body).toBe('For     x.');
  });

  test('a value is never read as a placeholder', () => {
    const version = versionOf('sms', { body: '{{a}} {{b}}' });
    expect(renderTemplate(version, 'sms', { a: '{{b}}', b: '$&' }).body).toBe('{{b}} $&');
  });
});

describe('a difference', () => {
  const variables = (body: string) => variablesOf(versionOf('sms', { body }), 'sms');
  const changes = (before: string, after: string) =>
    diffVariables(variables(before), variables(after)).map(
      ({ name, change, isBreaking }) => `${name} ${change} ${isBreaking ? 'breaking' : 'safe'}`,
    );

  test('of variables is breaking or safe', () => {
    expect(changes('{{a}}', '{{a}} {{b}}')).toEqual(['b ADDED breaking']);
    expect(changes('{{a}}', '{{a}} {{b | default: "x"}}')).toEqual(['b ADDED safe']);
    expect(changes('{{a}} {{b}}', '{{a}}')).toEqual(['b REMOVED safe']);
    expect(changes('{{a | default: "x"}}', '{{a}}')).toEqual(['a NOW_REQUIRED breaking']);
    expect(changes('{{a}}', '{{a | default: "x"}}')).toEqual(['a NOW_OPTIONAL safe']);
    expect(changes('{#var#}', '{#numeric#}')).toEqual(['var1 TYPE_CHANGED breaking']);
    expect(changes('{{a}}', 'x {{a}}')).toEqual([]);
  });

  test('of fields shows both values, and ignores the order of an object’s fields', () => {
    const before = versionOf('messaging_app', { header: { type: 'text', text: 'x' }, footer: 'a' });
    const after = versionOf('messaging_app', { header: { text: 'x', type: 'text' }, footer: null });
    expect(diffTemplates(before, after)).toEqual({
      fields: [{ field: 'footer', before: 'a', after: null }],
      variables: [],
      isBreaking: false,
    });
    expect(contentHash(before)).not.toBe(contentHash(after));
    expect(contentHash({ ...after, footer: 'a' })).toBe(contentHash(before));
  });
});
