/**
 * Schemas of forms: HTML, the properties that the polyfill makes of it, and which are required. Chromium 156 makes the
 * same of it, unless a row says what else.
 *
 * @module
 */

import { type Case, type Cases } from './case.ts'
import { withForm } from './form.ts'

type Row = readonly [html: string, properties: object, required: readonly string[], native?: object]

const ROWS: Readonly<Record<string, Row>> = {
  'a label around it': [
    '<label>  Your \n  <b>first</b> name <input name=a> please </label>',
    { a: { type: 'string', description: 'Your \n  first name  please' } },
    [],
  ],
  'a label for it': [
    '<label for=x>For it</label><input id=x name=a>',
    { a: { type: 'string', description: 'For it' } },
    [],
  ],
  'two labels': [
    '<label for=x>One</label><label for=x>Two</label><input id=x name=a>',
    { a: { type: 'string', description: 'One; Two' } },
    [],
  ],
  'its own description before the label': [
    '<label>L<input name=a toolparamdescription="D"></label>',
    { a: { type: 'string', description: 'D' } },
    [],
  ],
  'an empty description of its own': [
    '<label>L<input name=a toolparamdescription=""></label>',
    { a: { type: 'string', description: 'L' } },
    [],
  ],
  'aria-description, and nothing else for a label': [
    '<input name=a aria-description="AD" aria-label="AL" title=T placeholder=P>',
    { a: { type: 'string', description: 'AD' } },
    [],
  ],
  'an empty label': [
    '<label> <input name=a aria-description="AD"></label>',
    { a: { type: 'string', description: 'AD' } },
    [],
  ],
  'a label without the options in it': [
    '<label>Pick <select name=a><option>One<option value=2>Two<option label=Three value=3></select> now</label>',
    {
      a: {
        type: 'string',
        anyOf: [
          { type: 'string', const: 'One', title: 'One' },
          { type: 'string', const: '2', title: 'Two' },
          { type: 'string', const: '3', title: '' },
        ],
        enum: ['One', '2', '3'],
        description: 'Pick  now',
      },
    },
    [],
  ],
  'a label without the text in it': [
    '<label>Write <textarea name=a>text</textarea></label>',
    { a: { type: 'string', description: 'Write' } },
    [],
  ],
  'a label with everything in it': [
    '<label>A<span hidden>B</span><style>c{}</style><script>1</script><span style="display:none">D</span><input name=a></label>',
    { a: { type: 'string', description: 'ABc{}1D' } },
    [],
  ],
  'a label that is for a button': [
    '<label>A<button type=button>B</button><input name=a></label>',
    { a: { type: 'string' } },
    [],
  ],
  pattern: [
    '<input name=a pattern="[a-z]+" minlength=2 maxlength=3 required>',
    { a: { type: 'string', pattern: '[a-z]+', minLength: 2, maxLength: 3 } },
    ['a'],
    { a: { type: 'string', pattern: '[a-z]+' } },
  ],
  'lengths of an optional text': [
    '<textarea name=a minlength=2 maxlength=300></textarea><input name=b maxlength=0><input name=c maxlength=-1><input name=d type=number maxlength=3>',
    {
      a: { type: 'string', maxLength: 300 },
      b: { type: 'string', maxLength: 0 },
      c: { type: 'string' },
      d: { type: 'number', multipleOf: 1 },
    },
    [],
    {
      a: { type: 'string' },
      b: { type: 'string' },
      c: { type: 'string' },
      d: { type: 'number', multipleOf: 1 },
    },
  ],
  'empty pattern': ['<input name=a pattern="">', { a: { type: 'string', pattern: '' } }, []],
  'bad pattern': ['<input name=a pattern="[">', { a: { type: 'string' } }, []],
  types: [
    '<input name=t type=text><input name=e type=email><input name=u type=url><input name=te type=tel><input name=p type=password><input name=s type=search><input name=x type=bogus>',
    {
      t: { type: 'string' },
      e: { type: 'string' },
      u: { type: 'string' },
      te: { type: 'string' },
      p: { type: 'string' },
      s: { type: 'string' },
      x: { type: 'string' },
    },
    [],
  ],
  'email multiple': ['<input name=a type=email multiple>', { a: { type: 'string' } }, []],
  number: ['<input name=a type=number>', { a: { type: 'number', multipleOf: 1 } }, []],
  'number minmax': [
    '<input name=a type=number min=2 max=10 step=2>',
    { a: { type: 'number', minimum: 2, maximum: 10, multipleOf: 2 } },
    [],
  ],
  'number frac': [
    '<input name=a type=number min=0.5>',
    { a: { type: 'number', minimum: 0.5 } },
    [],
  ],
  'number value': [
    '<input name=a type=number value=0.5 step=0.25>',
    { a: { type: 'number', multipleOf: 0.25 } },
    [],
  ],
  'number any': ['<input name=a type=number step=any>', { a: { type: 'number' } }, []],
  'number bad': [
    '<input name=a type=number step=-1 min=x max=1e3>',
    { a: { type: 'number', maximum: 1000, multipleOf: 1 } },
    [],
  ],
  'number step0': [
    '<input name=a type=number step=0>',
    { a: { type: 'number', multipleOf: 1 } },
    [],
  ],
  'number value3 step2': [
    '<input name=a type=number value=3 step=2>',
    { a: { type: 'number' } },
    [],
  ],
  'number step .1 min .3': [
    '<input name=a type=number step=0.1 min=0.3>',
    { a: { type: 'number', minimum: 0.3, multipleOf: 0.1 } },
    [],
  ],
  'step 0.1': [
    '<input name=a type=number step=0.1>',
    { a: { type: 'number', multipleOf: 0.1 } },
    [],
  ],
  'min -4 step 2': [
    '<input name=a type=number min=-4 step=2>',
    { a: { type: 'number', minimum: -4, multipleOf: 2 } },
    [],
  ],
  range: [
    '<input name=a type=range>',
    { a: { type: 'number', minimum: 0, maximum: 100, multipleOf: 1 } },
    [],
  ],
  'range any': [
    '<input name=a type=range step=any>',
    { a: { type: 'number', minimum: 0, maximum: 100, multipleOf: 1 } },
    [],
  ],
  'range minmax': [
    '<input name=a type=range min=10 max=5 step=5>',
    { a: { type: 'number', minimum: 10, maximum: 10, multipleOf: 5 } },
    [],
  ],
  'range min1': [
    '<input name=a type=range min=1 max=9 step=2>',
    { a: { type: 'number', minimum: 1, maximum: 9 } },
    [],
  ],
  'range value': [
    '<input name=a type=range value=0.5>',
    { a: { type: 'number', minimum: 0, maximum: 100 } },
    [],
  ],
  date: [
    '<input name=a type=date min=2020-01-01>',
    {
      a: {
        type: 'string',
        format: 'date',
        description: "Dates MUST be provided in 'YYYY-MM-DD' format.",
      },
    },
    [],
  ],
  'date desc': [
    '<label>When <input name=a type=date></label>',
    {
      a: {
        type: 'string',
        format: 'date',
        description: "When (Dates MUST be provided in 'YYYY-MM-DD' format.)",
      },
    },
    [],
  ],
  'date and time': [
    '<input name=a type=datetime-local>',
    {
      a: {
        type: 'string',
        format: '^[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]$',
      },
    },
    [],
  ],
  'date and time with seconds': [
    '<input name=a type=datetime-local step=1>',
    {
      a: {
        type: 'string',
        format: '^[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$',
      },
    },
    [],
  ],
  time: [
    '<input name=a type=time>',
    { a: { type: 'string', format: '^([01][0-9]|2[0-3]):[0-5][0-9]$' } },
    [],
  ],
  time1: [
    '<input name=a type=time step=1>',
    { a: { type: 'string', format: '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$' } },
    [],
  ],
  time30: [
    '<input name=a type=time step=30>',
    { a: { type: 'string', format: '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$' } },
    [],
  ],
  time60: [
    '<input name=a type=time step=60>',
    { a: { type: 'string', format: '^([01][0-9]|2[0-3]):[0-5][0-9]$' } },
    [],
  ],
  'time of any step': [
    '<input name=a type=time step=any>',
    { a: { type: 'string', format: '^([01][0-9]|2[0-3]):[0-5][0-9]$' } },
    [],
  ],
  'time with parts of seconds': [
    '<input name=a type=time step=0.5>',
    {
      a: {
        type: 'string',
        format: '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,3})?)?$',
      },
    },
    [],
  ],
  month: [
    '<input name=a type=month>',
    { a: { type: 'string', format: '^[0-9]{4}-(0[1-9]|1[0-2])$' } },
    [],
  ],
  week: [
    '<input name=a type=week>',
    { a: { type: 'string', format: '^[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])$' } },
    [],
  ],
  color: ['<input name=a type=color>', { a: { type: 'string', format: '^#[0-9a-zA-Z]{6}$' } }, []],
  'time value secs': [
    '<input name=a type=time value="10:00:05">',
    { a: { type: 'string', format: '^([01][0-9]|2[0-3]):[0-5][0-9]$' } },
    [],
  ],
  checkbox: [
    '<label>C<input type=checkbox name=a value=v required></label>',
    { a: { type: 'boolean', description: 'C' } },
    ['a'],
  ],
  checkboxes: [
    '<label>One<input type=checkbox name=a value=1></label><label>Two<input type=checkbox name=a value=2 required toolparamdescription=X></label><input type=checkbox name=a>',
    {
      a: {
        type: 'array',
        items: {
          type: 'string',
          anyOf: [
            { type: 'string', const: '1', title: 'One' },
            { type: 'string', const: '2', title: 'Two' },
            { type: 'string', const: 'on' },
          ],
          enum: ['1', '2', 'on'],
        },
        uniqueItems: true,
      },
    },
    ['a'],
  ],
  'checkboxes dup': [
    '<input type=checkbox name=a value=1><input type=checkbox name=a value=1>',
    {
      a: {
        type: 'array',
        items: {
          type: 'string',
          anyOf: [
            { type: 'string', const: '1' },
            { type: 'string', const: '1' },
          ],
          enum: ['1', '1'],
        },
        uniqueItems: true,
      },
    },
    [],
  ],
  'checkboxes fieldset': [
    '<fieldset toolparamdescription=FD><legend>Leg</legend><input type=checkbox name=a value=1><input type=checkbox name=a value=2></fieldset>',
    {
      a: {
        type: 'array',
        items: {
          type: 'string',
          anyOf: [
            { type: 'string', const: '1' },
            { type: 'string', const: '2' },
          ],
          enum: ['1', '2'],
        },
        uniqueItems: true,
        description: 'FD',
      },
    },
    [],
  ],
  radio: [
    '<label>One<input type=radio name=a value=1></label><label>Two<input type=radio name=a value=2 required></label>',
    {
      a: {
        type: 'string',
        anyOf: [
          { type: 'string', const: '1', title: 'One' },
          { type: 'string', const: '2', title: 'Two' },
        ],
        enum: ['1', '2'],
      },
    },
    ['a'],
  ],
  'radio single': [
    '<input type=radio name=a value=1>',
    { a: { type: 'string', anyOf: [{ type: 'string', const: '1' }], enum: ['1'] } },
    [],
  ],
  'radio fieldset': [
    '<fieldset toolparamdescription=FD><legend>Leg</legend><input type=radio name=a value=1><input type=radio name=a value=2></fieldset>',
    {
      a: {
        type: 'string',
        anyOf: [
          { type: 'string', const: '1' },
          { type: 'string', const: '2' },
        ],
        enum: ['1', '2'],
        description: 'FD',
      },
    },
    [],
  ],
  'radio fieldset outer': [
    '<fieldset toolparamdescription=OUT><fieldset toolparamdescription=FD><div><input type=radio name=a value=1></div></fieldset><input type=radio name=a value=2></fieldset>',
    {
      a: {
        type: 'string',
        anyOf: [
          { type: 'string', const: '1' },
          { type: 'string', const: '2' },
        ],
        enum: ['1', '2'],
        description: 'OUT',
      },
    },
    [],
  ],
  'radio outer': [
    '<fieldset toolparamdescription=OUT><fieldset><input type=radio name=a value=1><input type=radio name=a value=2></fieldset></fieldset>',
    {
      a: {
        type: 'string',
        anyOf: [
          { type: 'string', const: '1' },
          { type: 'string', const: '2' },
        ],
        enum: ['1', '2'],
      },
    },
    [],
  ],
  'radio own desc': [
    '<input type=radio name=a value=1 toolparamdescription=R1><input type=radio name=a value=2 aria-description=AR>',
    {
      a: {
        type: 'string',
        anyOf: [
          { type: 'string', const: '1' },
          { type: 'string', const: '2' },
        ],
        enum: ['1', '2'],
      },
    },
    [],
  ],
  'radio disabled one': [
    '<input type=radio name=a value=1 disabled><input type=radio name=a value=2>',
    { a: { type: 'string', anyOf: [{ type: 'string', const: '2' }], enum: ['2'] } },
    [],
  ],
  'radio hidden mix': [
    '<input type=radio name=a value=1><input type=hidden name=a value=2>',
    {},
    [],
  ],
  'checkbox hidden mix': [
    '<input type=hidden name=a value=0><input type=checkbox name=a value=1>',
    {},
    [],
  ],
  'checkbox disabled mix': [
    '<input type=checkbox name=a value=0 disabled><input type=checkbox name=a value=1>',
    { a: { type: 'boolean' } },
    [],
  ],
  'text dup': ['<input name=a><input name=a><input name=b>', { b: { type: 'string' } }, []],
  'text+disabled dup': ['<input name=a><input name=a disabled>', { a: { type: 'string' } }, []],
  'text+button dup': ['<input name=a><button name=a>x</button>', {}, []],
  'text+readonly dup': ['<input name=a><input name=a readonly>', { a: { type: 'string' } }, []],
  select: [
    '<select name=a required><option value="">-<option value=1 disabled>One<optgroup label=G><option value=2>Two<option>  Three  x</optgroup><option value=2>Again<option value=4 label="">Lab<option value=5 hidden>Hid</select>',
    {
      a: {
        type: 'string',
        anyOf: [
          { type: 'string', const: '', title: '-' },
          { type: 'string', const: '2', title: 'Two' },
          { type: 'string', const: 'Three x', title: '  Three  x' },
          { type: 'string', const: '2', title: 'Again' },
          { type: 'string', const: '4', title: 'Lab' },
          { type: 'string', const: '5', title: 'Hid' },
        ],
        enum: ['', '2', 'Three x', '2', '4', '5'],
      },
    },
    ['a'],
    {
      a: {
        type: 'string',
        anyOf: [
          { type: 'string', const: '', title: '-' },
          { type: 'string', const: '1', title: 'One' },
          { type: 'string', const: '2', title: 'Two' },
          { type: 'string', const: 'Three x', title: '  Three  x' },
          { type: 'string', const: '2', title: 'Again' },
          { type: 'string', const: '4', title: 'Lab' },
          { type: 'string', const: '5', title: 'Hid' },
        ],
        enum: ['', '1', '2', 'Three x', '2', '4', '5'],
      },
    },
  ],
  'options of a group that is disabled': [
    '<select name=a><optgroup label=G disabled><option value=1>One</optgroup><option value=2>Two</select>',
    { a: { type: 'string', anyOf: [{ type: 'string', const: '2', title: 'Two' }], enum: ['2'] } },
    [],
    {
      a: {
        type: 'string',
        anyOf: [
          { type: 'string', const: '1', title: 'One' },
          { type: 'string', const: '2', title: 'Two' },
        ],
        enum: ['1', '2'],
      },
    },
  ],
  'select empty': ['<select name=a></select>', { a: { type: 'string', anyOf: [], enum: [] } }, []],
  'select multi': [
    '<label>M<select name=a multiple required><option>A<option value=b>B</select></label>',
    {
      a: {
        type: 'array',
        items: {
          type: 'string',
          anyOf: [
            { type: 'string', const: 'A', title: 'A' },
            { type: 'string', const: 'b', title: 'B' },
          ],
          enum: ['A', 'b'],
        },
        uniqueItems: true,
        description: 'M',
      },
    },
    ['a'],
  ],
  'what is skipped': [
    '<input type=hidden name=h><input type=file name=f><input name=d disabled><input name=r readonly><textarea name=tr readonly></textarea><input><button name=b>B</button><input type=submit name=s><input type=image name=i><input type=reset name=re><output name=o></output><object name=ob></object><fieldset name=fs disabled><input name=inf></fieldset><div hidden><input name=hid></div><input type=checkbox name=cr readonly><select name=sd disabled></select><input type=button name=bu>',
    { hid: { type: 'string' }, cr: { type: 'boolean' } },
    [],
  ],
  'fieldset legend': [
    '<fieldset disabled><legend><input name=inlegend></legend><input name=no></fieldset>',
    { inlegend: { type: 'string' } },
    [],
  ],
  'a control outside of its form': [
    '</form><input name=out form=f required><form>',
    { out: { type: 'string' } },
    ['out'],
  ],
  'document order': [
    '<input name=z><input name=a><input name=m>',
    { z: { type: 'string' }, a: { type: 'string' }, m: { type: 'string' } },
    [],
  ],
  'names that objects have': [
    '<input name=__proto__><input name=constructor>',
    // An own member of this name, which a literal cannot have.
    JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}'),
    [],
  ],
  'names that are numbers': [
    '<input name=b><input name=1>',
    { '1': { type: 'string' }, b: { type: 'string' } },
    [],
  ],
}

export const formSchemas: Cases = Object.fromEntries(
  Object.entries(ROWS).map(([title, [html, properties, required, native]]): [string, Case] => [
    title,
    {
      run: withForm(html, {}, async (page) => (await page.tool()).inputSchema),
      want: { type: 'object', properties, required },
      ...(native && { native: { type: 'object', properties: native, required } }),
    },
  ]),
)
