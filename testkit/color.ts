/** A color as sRGB, each part from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Eyes that lack one of the three kinds of cones. */
export type Vision = keyof typeof simulations
type Matrix = readonly [Rgb, Rgb, Rgb]

/** Returns by how many times the brighter one is brighter, as WCAG 2 counts. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

/** Returns the distance of two colors for these eyes, by CIEDE2000. */
export function distance(one: Rgb, other: Rgb, vision: Vision): number {
  return ciede2000(labOf(simulated(one, vision)), labOf(simulated(other, vision)))
}

/** A color of a stylesheet, `#rgb` or `#rrggbb`. */
export function rgbOf(hex: string): Rgb {
  const digits = hex.slice(1)
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const part = (at: number) => Number.parseInt(long.slice(at, at + 2), 16) / 255
  return [part(0), part(2), part(4)]
}

// Machado, Oliveira and Fernandes (2009), severity 1, on linear light.
const simulations = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const satisfies Record<string, Matrix>

/** The three kinds of eyes for which colors are compared. */
export const visions = Object.keys(simulations) as Vision[]

function simulated(color: Rgb, vision: Vision): Rgb {
  const [red, green, blue] = times(simulations[vision], linear(color))
  return [clamp(red), clamp(green), clamp(blue)]
}

const clamp = (part: number): number => Math.min(1, Math.max(0, part))

const linear = ([red, green, blue]: Rgb): Rgb => [linearPart(red), linearPart(green), linearPart(blue)]

function linearPart(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

function luminance(color: Rgb): number {
  const [red, green, blue] = linear(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function times([x, y, z]: Matrix, vector: Rgb): Rgb {
  const dot = (row: Rgb) => row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2]
  return [dot(x), dot(y), dot(z)]
}

type Lab = readonly [lightness: number, a: number, b: number]

const toXyz: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
]

/** CIELAB under daylight (D65) of a color in linear light. */
function labOf(color: Rgb): Lab {
  const [x, y, z] = times(toXyz, color)
  const [fx, fy, fz] = [root(x / 0.95047), root(y), root(z / 1.08883)]
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)]
}

function root(part: number): number {
  return part > 216 / 24389 ? Math.cbrt(part) : (24389 / 27) * part * (1 / 116) + 16 / 116
}

const power7 = (value: number): number => value ** 7
const degrees = (radians: number): number => ((((radians * 180) / Math.PI) % 360) + 360) % 360
const cosine = (angle: number): number => Math.cos((angle * Math.PI) / 180)
const sine = (angle: number): number => Math.sin((angle * Math.PI) / 180)

/** The difference by Sharma, Wu and Dalal (2005), all weights 1. */
export function ciede2000(one: Lab, other: Lab): number {
  const stretch = 1.5 - 0.5 * Math.sqrt(chromaShare((chromaOf(one) + chromaOf(other)) / 2))
  const [first, second] = [polar(one, stretch), polar(other, stretch)]
  const turn = hueTurn(first, second)
  const lightness = (first.lightness + second.lightness) / 2
  const chroma = (first.chroma + second.chroma) / 2
  const hue = meanHue(first, second)
  const tint =
    1 -
    0.17 * cosine(hue - 30) +
    0.24 * cosine(2 * hue) +
    0.32 * cosine(3 * hue + 6) -
    0.2 * cosine(4 * hue - 63)
  const middle = (lightness - 50) ** 2
  const dL = (second.lightness - first.lightness) / (1 + (0.015 * middle) / Math.sqrt(20 + middle))
  const dC = (second.chroma - first.chroma) / (1 + 0.045 * chroma)
  const dH = (2 * Math.sqrt(first.chroma * second.chroma) * sine(turn / 2)) / (1 + 0.015 * chroma * tint)
  const rotation = -2 * Math.sqrt(chromaShare(chroma)) * sine(60 * Math.exp(-(((hue - 275) / 25) ** 2)))
  return Math.sqrt(dL ** 2 + dC ** 2 + dH ** 2 + rotation * dC * dH)
}

interface Polar {
  lightness: number
  chroma: number
  hue: number
}

const chromaOf = ([, a, b]: Lab): number => Math.hypot(a, b)
const chromaShare = (chroma: number): number => power7(chroma) / (power7(chroma) + power7(25))

function polar([lightness, a, b]: Lab, stretch: number): Polar {
  const stretched = a * stretch
  const chroma = Math.hypot(stretched, b)
  return { lightness, chroma, hue: chroma === 0 ? 0 : degrees(Math.atan2(b, stretched)) }
}

/** The way from one hue to the other, the shorter way round. */
function hueTurn(first: Polar, second: Polar): number {
  if (first.chroma * second.chroma === 0) return 0
  const turn = second.hue - first.hue
  if (Math.abs(turn) <= 180) return turn
  return turn > 180 ? turn - 360 : turn + 360
}

function meanHue(first: Polar, second: Polar): number {
  const sum = first.hue + second.hue
  if (first.chroma * second.chroma === 0) return sum
  if (Math.abs(first.hue - second.hue) <= 180) return sum / 2
  return sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2
}
