/**
 * URI templates of resources (RFC 6570, levels 1 to 3): their variables, and the URI that values give.
 * `test/host/console/uri-template.test.ts` has the table.
 *
 * @module
 */

/** Expressions that are read; more stay as they are. */
const MAX_EXPRESSIONS = 50

/** Expressions, with the operator and the list of variables. */
const EXPRESSION = /\{([+#./;?&]?)([\w.%*:,]+)\}/g

interface Operator {
  readonly first: string
  readonly separator: string
  readonly isNamed: boolean
  /** Whether reserved characters are kept. */
  readonly isRaw: boolean
}

const SIMPLE: Operator = { first: '', separator: ',', isNamed: false, isRaw: false }

const OPERATORS: Readonly<Record<string, Operator>> = {
  '': SIMPLE,
  '+': { ...SIMPLE, isRaw: true },
  '#': { ...SIMPLE, first: '#', isRaw: true },
  '.': { ...SIMPLE, first: '.', separator: '.' },
  '/': { ...SIMPLE, first: '/', separator: '/' },
  ';': { first: ';', separator: ';', isNamed: true, isRaw: false },
  '?': { first: '?', separator: '&', isNamed: true, isRaw: false },
  '&': { first: '&', separator: '&', isNamed: true, isRaw: false },
}

/** Names in an expression, without the modifiers `*` and `:n`. */
const namesIn = (list: string) => list.split(',').map((name) => name.replace(/\*$|:\d+$/, ''))

/** Returns the names of the variables, each once. */
export function variablesOf(template: string): readonly string[] {
  const found = [...template.matchAll(EXPRESSION)].slice(0, MAX_EXPRESSIONS)
  return [...new Set(found.flatMap(([, , list = '']) => namesIn(list)))]
}

/** Builds the URI; variables with an empty value are left out. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(EXPRESSION, (_, sign: string, list: string) => {
    const { first, separator, isNamed, isRaw } = OPERATORS[sign] ?? SIMPLE
    const given = namesIn(list).flatMap((name) => {
      const value = (Object.hasOwn(values, name) && values[name]) || ''
      if (value === '') return []
      const text = isRaw ? encodeURI(value) : encodeURIComponent(value)
      return [isNamed ? `${name}=${text}` : text]
    })
    return given.length === 0 ? '' : first + given.join(separator)
  })
}
