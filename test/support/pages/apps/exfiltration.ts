/**
 * Every exfiltration channel of a browser: each tries to send data to a URL.
 *
 * @module
 */

type Channel = (url: string) => unknown

const add = (name: string, fields: Readonly<Record<string, unknown>>): HTMLElement => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(fields)) made.setAttribute(key, String(value))
  document.body.append(made)
  return made
}

const link = (rel: string, more: Readonly<Record<string, unknown>> = {}): Channel => {
  return (href) => document.head.append(add('link', { rel, href, ...more }))
}

function style(text: string): void {
  add('style', {}).textContent = text
  add('p', { class: 'probe' }).textContent = 'probe'
}

function svg(text: string): void {
  add('div', {}).innerHTML = `<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`
}

const scripted = (code: string): string =>
  URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))

/** Ways after which the page is still there. */
export const CHANNELS: Readonly<Record<string, Channel>> = {
  fetch: (url) => fetch(url),
  'fetch without CORS': (url) => fetch(url, { mode: 'no-cors', method: 'POST', body: 'secret' }),
  'fetch with keepalive': (url) => fetch(url, { keepalive: true, mode: 'no-cors' }),
  fetchLater: (url) => Reflect.apply(Object(Reflect.get(window, 'fetchLater')), window, [url]),
  XMLHttpRequest: (url) => {
    const request = new XMLHttpRequest()
    request.open('GET', url)
    request.send()
  },
  WebSocket: (url) => new WebSocket(url.replace('http', 'ws')),
  EventSource: (url) => new EventSource(url),
  beacon: (url) => navigator.sendBeacon(url, 'secret'),
  image: (src) => add('img', { src }),
  'image set': (url) => add('img', { srcset: `${url} 1x` }),
  'image input': (src) => add('input', { type: 'image', src }),
  'SVG image': (url) => svg(`<image href="${url}" width="9" height="9"/>`),
  'SVG use': (url) => svg(`<use href="${url}#a"/>`),
  script: (src) => add('script', { src }),
  'module script': (src) => add('script', { src, type: 'module' }),
  'dynamic import': (url) => import(url),
  'style sheet': link('stylesheet'),
  'style import': (url) => style(`@import url(${url});`),
  'CSS background': (url) => style(`.probe { background: url(${url}) }`),
  'CSS cursor': (url) => style(`body, .probe { cursor: url(${url}), auto }`),
  'CSS content': (url) => style(`.probe::before { content: url(${url}) }`),
  'font face': (url) => new FontFace('probe', `url(${url})`).load(),
  'font style': (url) =>
    style(`@font-face { font-family: p; src: url(${url}) } .probe { font-family: p }`),
  video: (src) => add('video', { src, preload: 'auto' }),
  'video poster': (poster) => add('video', { poster }),
  audio: (src) => add('audio', { src, preload: 'auto' }),
  'text track': (src) => {
    const video = add('video', { src: 'data:video/mp4,', preload: 'auto' })
    const track = document.createElement('track')
    video.append(Object.assign(track, { default: true, kind: 'captions', src }))
    track.track.mode = 'showing'
  },
  object: (data) => add('object', { data }),
  embed: (src) => add('embed', { src }),
  frame: (src) => add('iframe', { src }),
  'frame of a frame': (url) => add('iframe', { srcdoc: `<img src="${url}">` }),
  'frame without a page': (src) => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const image = frame.contentDocument?.createElement('img')
    if (image) frame.contentDocument?.body.append(Object.assign(image, { src }))
  },
  'frame with a data: page': (url) =>
    add('iframe', { src: `data:text/html,<img src="${encodeURIComponent(url)}">` }),
  'frame with a blob: page': (url) => {
    const page = new Blob([`<img src="${url}">`], { type: 'text/html' })
    add('iframe', { src: URL.createObjectURL(page) })
  },
  'fenced frame': (src) => add('fencedframe', { src }),
  worker: (url) => new Worker(scripted(`fetch(${JSON.stringify(url)}, { mode: 'no-cors' })`)),
  'worker import': (url) => new Worker(scripted(`importScripts(${JSON.stringify(url)})`)),
  'worker from data:': (url) =>
    new Worker(`data:text/javascript,fetch(${JSON.stringify(url)}, { mode: 'no-cors' })`),
  'shared worker': (url) =>
    new SharedWorker(scripted(`fetch(${JSON.stringify(url)}, { mode: 'no-cors' })`)),
  worklet: (url) => Reflect.get(CSS, 'paintWorklet')?.addModule(url),
  'audio worklet': (url) => new AudioContext().audioWorklet.addModule(url),
  WebTransport: (url) => new WebTransport(url.replace('http:', 'https:')),
  'form in a new window': (action) => {
    const form = add('form', { action, method: 'post', target: '_blank' })
    if (form instanceof HTMLFormElement) form.submit()
  },
  'form in a frame of its own': (action) => {
    add('iframe', { name: 'inbox' })
    const form = add('form', { action, target: 'inbox' })
    if (form instanceof HTMLFormElement) form.submit()
  },
  'link in a new window': (href) => add('a', { href, target: '_blank', rel: 'opener' }).click(),
  'link with a ping': (ping) => add('a', { href: 'javascript:void 0', ping }).click(),
  'window.open': (url) => window.open(url),
  'window.open of the top': (url) => window.open(url, '_top'),
  'window.open of the parent': (url) => window.open(url, '_parent'),
  'address of the top': (url) => {
    if (top) top.location.href = url
  },
  'address of the parent': (url) => parent.location.replace(url),
  'address of other frames': (url) => {
    for (let index = 0; index < (top?.length ?? 0); index++) top?.[index]?.location.replace(url)
  },
  'link to the top': (href) => add('a', { href, target: '_top' }).click(),
  prefetch: link('prefetch'),
  'preload of an image': link('preload', { as: 'image' }),
  'preload of a script': link('preload', { as: 'script' }),
  'preload of data': link('preload', { as: 'fetch', crossorigin: '' }),
  'module preload': link('modulepreload'),
  prerender: link('prerender'),
  icon: link('icon'),
  manifest: link('manifest'),
  'speculation rules': (url) => {
    const rules = { prefetch: [{ urls: [url] }], prerender: [{ urls: [url] }] }
    const script = document.createElement('script')
    script.type = 'speculationrules'
    script.textContent = JSON.stringify(rules)
    document.head.append(script)
  },
  'report of a policy': (url) => {
    const content = `img-src 'none'; report-uri ${url}`
    document.head.append(add('meta', { 'http-equiv': 'content-security-policy', content }))
    add('img', { src: 'data:,' })
  },
  'base address': (url) => {
    document.head.append(add('base', { href: `${url}/` }))
    add('img', { src: 'relative' })
  },
  XSLT: (url) => {
    const text = `<?xml-stylesheet href="${url}" type="text/xsl"?><a/>`
    add('iframe', { src: `data:text/xml,${encodeURIComponent(text)}` })
  },
  'service worker': (url) => navigator.serviceWorker.register(url),
}

/** Ways that take the page with them. */
export const DEPARTURES: Readonly<Record<string, Channel>> = {
  'own address': (url) => location.assign(url),
  'own address, replaced': (url) => location.replace(url),
  'meta refresh': (url) => add('meta', { 'http-equiv': 'refresh', content: `0; url=${url}` }),
  form: (action) => {
    const form = add('form', { action })
    if (form instanceof HTMLFormElement) form.submit()
  },
  'form with a body': (action) => {
    const form = add('form', { action, method: 'post' })
    if (form instanceof HTMLFormElement) form.submit()
  },
  link: (href) => add('a', { href }).click(),
  'link with a download': (href) => add('a', { href, download: 'x' }).click(),
  'navigation API': (url) => Reflect.get(window, 'navigation')?.navigate(url),
  'document.write': (url) => {
    document.open()
    document.write(`<meta http-equiv="refresh" content="0; url=${url}"><img src="${url}">`)
    document.close()
  },
  'data: page': (url) => location.assign(`data:text/html,<img src="${url}">`),
  'blob: page': (url) =>
    location.assign(URL.createObjectURL(new Blob([`<img src="${url}">`], { type: 'text/html' }))),
  'javascript: page': (url) => location.assign(`javascript:'<img src="${url}">'`),
  'empty page': (url) => {
    location.assign('about:blank')
    fetch(url).catch(() => {})
  },
}

async function call(url: string, server: object): Promise<void> {
  const iceServers = [{ ...server, urls: url }]
  const peer = new RTCPeerConnection({ iceServers })
  peer.createDataChannel('secret')
  await peer.setLocalDescription(await peer.createOffer())
}

const portOf = (url: string) => new URL(url).port

/** Connections that send no HTTP request, and can still carry data. */
export const CONNECTIONS: Readonly<Record<string, Channel>> = {
  'WebRTC, asking a STUN server': (url) => call(`stun:127.0.0.1:${portOf(url)}`, {}),
  'WebRTC, with a secret as the name for a TURN server': (url) =>
    call(`turn:127.0.0.1:${portOf(url)}?transport=tcp`, { username: 'secret', credential: 'x' }),
  'a frame that is not loaded': (src) => add('iframe', { src }),
  'an address that is not reached': (url) => location.assign(url),
}
