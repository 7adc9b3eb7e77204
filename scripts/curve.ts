/**
 * Draws how long work takes by the number of files, as an SVG on two logarithmic axes. The same points give the same text.
 *
 * It follows the color scheme of its reader and has its own background, so that it is legible on a page that does not.
 *
 * @module
 */

/** A line of the chart. */
export interface Series {
  readonly name: string
  readonly points: readonly { readonly files: number; readonly value: number }[]
}

const WIDTH = 900
const HEIGHT = 560
const PLOT = { left: 64, right: 520, top: 40, bottom: 500 } as const
const LABEL_X = PLOT.right + 44
const LABEL_HEIGHT = 17

/** Colors with enough contrast on both backgrounds; each is used solid, and then dashed. */
const COLORS = ['#2f7fd6', '#d9534f', '#2e9e5b', '#b0762a', '#9b5de5', '#1f8f9a', '#d1498b']

const STYLE = `
.ground { fill: #ffffff } .grid { stroke: #d8dee4 } .axis { stroke: #59636e }
text { fill: #1f2328; font: 12px system-ui, sans-serif }
.title { font-weight: 600 } .line { fill: none; stroke-width: 2 } .lead { stroke-width: 1 }
@media (prefers-color-scheme: dark) {
.ground { fill: #0d1117 } .grid { stroke: #2f363d } .axis { stroke: #9198a1 } text { fill: #f0f6fc }
}`

interface Scale {
  /** Powers of ten at the ends. */
  readonly low: number
  readonly high: number
  /** Returns the coordinate of a value. */
  readonly at: (value: number) => number
}

/** Draws the lines with their names at the right. The values are milliseconds. */
export function drawCurves(title: string, series: readonly Series[]): string {
  const points = series.flatMap((one) => one.points)
  const x = scale(
    points.map(({ files }) => files),
    PLOT.left,
    PLOT.right,
  )
  const y = scale(
    points.map(({ value }) => value),
    PLOT.bottom,
    PLOT.top,
  )
  const labels = placeLabels(series.map((one) => y.at(one.points.at(-1)?.value ?? 1)))
  const lines = series.map((one, index) =>
    drawLine(one, index, { x, y, label: labels[index] ?? 0 }),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(title)}">
<style>${STYLE}
</style>
<rect class="ground" width="${WIDTH}" height="${HEIGHT}" />
<text class="title" x="${PLOT.left}" y="22">${escapeText(title)}</text>
${drawAxes(x, y)}
${lines.join('\n')}
</svg>
`
}

/** A logarithmic scale whose ends are powers of ten. */
function scale(values: readonly number[], from: number, to: number): Scale {
  const logs = values.map((value) => Math.log10(value))
  // A power of ten may be a little off after the logarithm.
  const low = Math.floor(Math.min(...logs) + 1e-9)
  const high = Math.max(low + 1, Math.ceil(Math.max(...logs) - 1e-9))
  const at = (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from)
  return { low, high, at }
}

function drawAxes(x: Scale, y: Scale): string {
  const { left, right, top, bottom } = PLOT
  const rows = powers(y).map(
    (value) =>
      `<line class="grid" x1="${left}" x2="${right}" y1="${round(y.at(value))}" y2="${round(y.at(value))}" />
<text x="${left - 8}" y="${round(y.at(value) + 4)}" text-anchor="end">${show(value)}</text>`,
  )
  const columns = powers(x).map(
    (value) =>
      `<line class="grid" x1="${round(x.at(value))}" x2="${round(x.at(value))}" y1="${top}" y2="${bottom}" />
<text x="${round(x.at(value))}" y="${bottom + 18}" text-anchor="middle">${show(value)}</text>`,
  )
  return `${[...rows, ...columns].join('\n')}
<path class="axis" d="M${left} ${top}V${bottom}H${right}" fill="none" />
<text x="${(left + right) / 2}" y="${bottom + 40}" text-anchor="middle">files in the workspace</text>
<text x="16" y="${(top + bottom) / 2}" text-anchor="middle" transform="rotate(-90 16 ${(top + bottom) / 2})">milliseconds</text>`
}

const powers = ({ low, high }: Scale) =>
  Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))

interface Place {
  readonly x: Scale
  readonly y: Scale
  /** The vertical position of the name. */
  readonly label: number
}

function drawLine({ name, points }: Series, index: number, { x, y, label }: Place): string {
  const color = COLORS[index % COLORS.length] ?? ''
  const dash = index < COLORS.length ? '' : ' stroke-dasharray="6 4"'
  const path = points.map(({ files, value }) => `${round(x.at(files))},${round(y.at(value))}`)
  const end = path.at(-1) ?? ''
  const [endX = '', endY = ''] = end.split(',')
  return `<polyline class="line" stroke="${color}"${dash} points="${path.join(' ')}" />
<line class="lead" stroke="${color}" x1="${endX}" y1="${endY}" x2="${LABEL_X - 6}" y2="${round(label)}" />
<text x="${LABEL_X}" y="${round(label + 4)}">${escapeText(name)}</text>`
}

/** Moves names apart that would overlap, in the order of their lines: first down, and then up from the end. */
function placeLabels(wanted: readonly number[]): number[] {
  const order = wanted.map((at, index) => ({ at, index })).toSorted((a, b) => a.at - b.at)
  let free = -Infinity
  for (const one of order) {
    one.at = Math.max(one.at, free)
    free = one.at + LABEL_HEIGHT
  }
  let end: number = PLOT.bottom
  for (const one of order.toReversed()) {
    one.at = Math.min(one.at, end)
    end = one.at - LABEL_HEIGHT
  }
  return order.toSorted((a, b) => a.index - b.index).map(({ at }) => at)
}

const round = (value: number) => value.toFixed(1)

const show = (value: number) =>
  value < 1 ? String(Number(value.toPrecision(3))) : Math.round(value).toLocaleString('en-US')

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
