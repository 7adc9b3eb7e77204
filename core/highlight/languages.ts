/**
 * Syntax rules of common file types, and the language of each file extension.
 *
 * They recognise words, strings, numbers and comments, not the grammar. Look-ahead and repetitions
 * that can fail are bounded, as `tokens.ts` requires.
 *
 * @module
 */

import type { Language, Rule } from './tokens.ts'

const WORD: Rule = ['word', String.raw`[\p{L}_$][\p{L}\p{N}_$]*`]
const NUMBER: Rule = [
  'number',
  String.raw`\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)[a-z%]*`,
]
const DOUBLE: Rule = ['string', String.raw`"(?:\\.|[^"\\])*"?`]
const SINGLE: Rule = ['string', String.raw`'(?:\\.|[^'\\])*'?`]
const TICKS: Rule = ['string', '`', String.raw`\\.|${'`'}`]
const SLASHES: Rule = ['comment', '//.*']
const BLOCK: Rule = ['comment', String.raw`/\*`, String.raw`\*/`]
const HASH: Rule = ['comment', String.raw`(?<![^\s;])#.*`]
const MARKUP: Rule = ['comment', '<!--', '-->']
const KEY = String.raw`[^\s"'#:=,;\[\]{}-][^"'#:=,;\[\]{}]{0,99}`

const REGEX: Rule = [
  'string',
  String.raw`(?<=(?:^|[=(,:[!&|?{};]|return)\s{0,9})/(?![*/])(?:\\.|\[(?:\\.|[^\]\\]){0,200}\]|[^/\\[]){1,200}/[a-z]{0,9}`,
]

function language(name: string, rules: readonly Rule[], words = '', foldsCase = false): Language {
  return { name, rules, words: new Set(words.split(' ')), foldsCase }
}

const C_WORDS =
  'break case catch class const continue default do else enum false finally for goto if import new null private protected public return static struct super switch this throw true try typedef union void volatile while abstract extends final implements interface int char long short float double bool boolean byte unsigned signed sizeof namespace using template typename virtual override operator delete explicit inline extern auto string var package throws synchronized instanceof internal sealed readonly ref out params object async await foreach lock yield def func fun val let when object trait lateinit data lazy guard protocol extension where nil self'

const C = language(
  'C-like',
  [
    BLOCK,
    SLASHES,
    ['keyword', String.raw`^\s*#\s*\w+`],
    DOUBLE,
    SINGLE,
    NUMBER,
    ['name', '@\\w+'],
    WORD,
  ],
  C_WORDS,
)

const SCRIPT = language(
  'JavaScript',
  [BLOCK, SLASHES, DOUBLE, SINGLE, TICKS, REGEX, NUMBER, ['name', '@\\w+'], WORD],
  'abstract any as asserts async await boolean break case catch class const constructor continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace never new null number object of override private protected public readonly return satisfies set static string super switch symbol this throw true try type typeof undefined unique unknown using var void while yield',
)

const TYPESCRIPT: Language = { ...SCRIPT, name: 'TypeScript' }

const PYTHON = language(
  'Python',
  [
    ['comment', '#.*'],
    ['string', '[rbfuRBFU]{0,2}"""', '"""'],
    ['string', "[rbfuRBFU]{0,2}'''", "'''"],
    DOUBLE,
    SINGLE,
    NUMBER,
    ['name', '@[\\w.]+'],
    WORD,
  ],
  'and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield',
)

const SHELL = language(
  'Shell',
  [HASH, DOUBLE, SINGLE, ['name', String.raw`\$(?:\w+|\{[^}]{0,200}\}?|[@#?*!$-])`], NUMBER, WORD],
  'alias break case cd continue do done echo elif else esac eval exec exit export fi for function if in local read readonly return set shift source then trap unset until while FROM RUN COPY ADD CMD ENTRYPOINT ENV ARG WORKDIR EXPOSE USER VOLUME LABEL include ifeq ifneq endif define',
)

const LITERALS = 'true false null yes no on off True False inf nan'
const JSON_LIKE = language(
  'JSON',
  [BLOCK, SLASHES, ['name', String.raw`"(?:\\.|[^"\\])*"(?=\s{0,99}:)`], DOUBLE, NUMBER, WORD],
  LITERALS,
)
const YAML = language(
  'YAML',
  [
    HASH,
    ['title', '^---.*'],
    [
      'name',
      String.raw`(?<=^\s{0,99}(?:- {1,9}){0,9})(?:${KEY}|"[^"]{0,99}"|'[^']{0,99}')(?=:(?:\s|$))`,
    ],
    ['name', '[&*][\\w-]+'],
    DOUBLE,
    SINGLE,
    NUMBER,
    WORD,
  ],
  LITERALS,
)
const TOML = language(
  'TOML',
  [
    ['comment', String.raw`(?:#|^\s{0,99};).*`],
    ['title', String.raw`^\s{0,99}\[.*`],
    ['name', String.raw`(?<=^\s{0,99})${KEY}(?==)`],
    ['string', '"""', '"""'],
    ['string', "'''", "'''"],
    DOUBLE,
    SINGLE,
    NUMBER,
    WORD,
  ],
  LITERALS,
)

const HTML = language('HTML', [
  MARKUP,
  ['keyword', String.raw`</?[A-Za-z][\w:.-]*|/?>|<[!?][\w-]+|\?>`],
  ['name', String.raw`[\w:@.-]{1,99}(?==["'])`],
  ['string', '(?<==)"[^"]*"?'],
  ['string', "(?<==)'[^']*'?"],
  ['number', String.raw`&#?\w{1,20};`],
])

const CSS = language('CSS', [
  BLOCK,
  SLASHES,
  DOUBLE,
  SINGLE,
  ['keyword', '@[\\w-]+|!important'],
  ['number', String.raw`#[\da-fA-F]{3,8}\b|-?\b\d[\d.]*[a-z%]*`],
  ['name', String.raw`--[\w-]+|[\w-]{1,99}(?=\s{0,9}:(?:\s|$))`],
  ['title', String.raw`[.#][\p{L}_-][\w-]*`],
  ['word', '[\\w-]+'],
])

const MARKDOWN = language('Markdown', [
  ['string', '^\\s{0,3}(?:```|~~~).*', '^\\s{0,3}(?:```|~~~)'],
  MARKUP,
  ['title', '^#{1,6} .*'],
  ['comment', '^\\s{0,3}>.*'],
  ['keyword', String.raw`^\s{0,99}(?:[-*+]|\d{1,9}[.)])(?=\s)`],
  ['string', '`[^`]{1,300}`'],
  ['keyword', String.raw`\*\*[^*]{1,300}\*\*|__[^_]{1,300}__`],
  ['name', String.raw`!?\[[^\]]{0,300}\]\([^)]{0,300}\)|https?://[^\s)>]+`],
])

const RUST = language(
  'Rust',
  [
    BLOCK,
    SLASHES,
    DOUBLE,
    ['string', String.raw`b?'(?:\\.[^']{0,9}|[^\\'])'`],
    ['name', String.raw`'\w+|#!?\[.*`],
    NUMBER,
    ['keyword', '\\b\\w+!'],
    WORD,
  ],
  'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while bool char str u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64',
)

const GO = language(
  'Go',
  [BLOCK, SLASHES, DOUBLE, SINGLE, ['string', '`', '`'], NUMBER, WORD],
  'any bool break byte case chan const continue default defer else error fallthrough false float32 float64 for func go goto if import int int32 int64 interface iota len make map new nil package range return rune select string struct switch true type uint uint8 uint32 uint64 var',
)

const SQL = language(
  'SQL',
  [BLOCK, ['comment', '--.*'], ['string', "'(?:[^']|'')*'?"], ['name', '"[^"]*"?'], NUMBER, WORD],
  'add all alter and any as asc autoincrement begin between bigint blob boolean by cascade case check column commit constraint create cross default delete desc distinct drop else end exists false foreign from full group having if in index inner insert int integer into is join key left like limit not null numeric offset on or order outer over partition pragma primary real references replace returning right rollback select set table text then timestamp transaction trigger true union unique update using values varchar view when where with without',
  true,
)

const DIFF = language('Diff', [
  ['title', String.raw`^(?:diff|index|---|\+\+\+|rename|similarity|new file|deleted file).*`],
  ['name', '^@@.*'],
  ['insert', '^\\+.*'],
  ['delete', '^-.*'],
  ['comment', '^\\\\.*'],
])

const ENDINGS: readonly (readonly [string, Language])[] = [
  ['js mjs cjs jsx', SCRIPT],
  ['ts mts cts tsx', TYPESCRIPT],
  ['py pyi pyw', PYTHON],
  ['sh bash zsh fish ksh env rb pl dockerfile makefile mk r', SHELL],
  ['json jsonc json5 webmanifest map ipynb lock', JSON_LIKE],
  ['yaml yml', YAML],
  ['toml ini cfg conf properties editorconfig gitconfig gitignore npmrc', TOML],
  ['html htm xml svg xhtml vue svelte astro xsl plist', HTML],
  ['css scss less sass', CSS],
  ['md markdown mdx', MARKDOWN],
  ['rs', RUST],
  ['go', GO],
  ['sql', SQL],
  ['diff patch', DIFF],
  ['c h cc cpp cxx hpp hh m java kt kts cs swift scala dart php groovy gradle proto glsl zig', C],
]

const LANGUAGES = new Map(
  ENDINGS.flatMap(([endings, each]) => endings.split(' ').map((ending) => [ending, each] as const)),
)

/** Returns the language of a file by its name; null for plain text. */
export function findLanguage(name: string): Language | null {
  const ending = name.toLowerCase().split('.').at(-1) ?? ''
  return LANGUAGES.get(ending) ?? null
}
