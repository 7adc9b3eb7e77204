/** Names a device by its browser, for the list of devices. `test/host/console/device-label.test.ts` has examples. @module */

/** Browsers by what they write into their user agent, those first that also name another one. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOPT\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  // An installed page on an iPhone does not name Safari.
  [/\b(?:iPhone|iPad)\b/, 'Console'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** Describes the device with a user agent, such as "Chrome on Android". */
export function describeDevice(userAgent: string): string {
  const find = (names: typeof BROWSERS) => names.find(([mark]) => mark.test(userAgent))?.[1]
  const system = find(SYSTEMS)
  return `${find(BROWSERS) ?? 'Browser'}${system === undefined ? '' : ` on ${system}`}`
}
