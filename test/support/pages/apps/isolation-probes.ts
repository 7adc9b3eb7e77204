/**
 * Probes of the isolation of an app: each reads or plants something outside of its frame. A probe is
 * blocked if it throws, rejects or returns nothing.
 *
 * @module
 */

import { shown } from './conformance/outcome.ts'

type Probe = () => unknown

export const ISOLATION_PROBES: Readonly<Record<string, Probe>> = {
  'the document of the parent': () => parent.document.title,
  'the address of the parent': () => parent.location.href,
  'a variable of the parent': () => Reflect.get(parent, 'carried'),
  'the document of the top': () => top?.document.title,
  'the address of the top': () => top?.location.href,
  'a variable of the top': () => Reflect.get(Object(top), 'lab'),
  'the storage of the top': () => top?.localStorage.length,
  'the document of a sibling': () => top?.frames[0]?.document.title,
  'the element of its frame': () => frameElement,
  'an opener': () => opener as unknown,
  'local storage': () => localStorage.length,
  'session storage': () => sessionStorage.length,
  cookies: () => document.cookie,
  'planting a cookie': () => (document.cookie = 'planted=1'),
  'the cookie store': () => Reflect.get(window, 'cookieStore')?.getAll(),
  databases: () => opened(indexedDB.open('planted')),
  caches: () => caches.open('planted'),
  'the file system': () => navigator.storage.getDirectory(),
  'storage access': () => document.requestStorageAccess(),
  'a service worker': () => navigator.serviceWorker.register('/mcp-view.js'),
  'a shared worker': () => new SharedWorker('/mcp-view.js').port,
  'another domain': () => (document.domain = 'localhost'),
  'full screen': () => document.body.requestFullscreen().then(() => 'full'),
  'a pointer lock': async () => {
    await document.body.requestPointerLock()
    await new Promise((resolve) => void setTimeout(resolve, 200))
    return document.pointerLockElement
  },
  'a window': () => window.open('about:blank'),
  'a question': () => confirm('x') || prompt('x'),
  'the camera': () => navigator.mediaDevices.getUserMedia({ video: true }),
  'the screen': () => navigator.mediaDevices.getDisplayMedia(),
  'the place': () =>
    new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject)),
  'the clipboard': () => navigator.clipboard.readText(),
  'writing the clipboard': () => navigator.clipboard.writeText('x').then(() => 'written'),
  notifications: () => Notification.requestPermission().then((answer) => answer === 'granted'),
  eval: () => Reflect.apply(Object(Reflect.get(window, 'eval')), null, ['1']) as unknown,
  'a function from text': () => Reflect.construct(Function, ['return 1'])() as unknown,
  'a timer from text': async () => {
    Reflect.apply(setTimeout, window, ['globalThis.fromText = true', 0])
    await new Promise((resolve) => void setTimeout(resolve, 100))
    return Reflect.get(globalThis, 'fromText')
  },
}

function opened(request: IDBOpenDBRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve('opened')
    request.onerror = () => reject(new Error('blocked'))
  })
}

/** Runs a probe: `blocked` with the error that it threw, or `open` with the value that it read. */
export async function probeIsolation(name: string): Promise<string> {
  try {
    // In a task of its own, because evaluation by the test lifts the policy against eval.
    await new Promise((resolve) => void setTimeout(resolve))
    const late = new Promise((resolve) => void setTimeout(resolve, 3000))
    const seen: unknown = await Promise.race([ISOLATION_PROBES[name]?.(), late])
    return seen ? `open: ${shown(seen)}` : 'blocked'
  } catch (error) {
    return `blocked: ${error instanceof Error || error instanceof DOMException ? error.name : 'thrown'}`
  }
}
