import type { HelpEntry } from './code-help.ts'

/** The meaning of a group of an exchange's own numbers. */
interface VenueEntry extends HelpEntry {
  codes: readonly number[]
}

/** The exchanges by the numbers that they refuse with. */
export type VenueFamily = 'binance' | 'bybit' | 'okx'

const keyNext = 'Run Test under API Keys: it shows whether the key, the IP address or a permission is wrong.'
const marginNext = 'Order less, add funds, or close something first.'
const priceNext = 'Move the price closer to the market. A plain number in a message is an absolute price.'
const waitNext = 'Send it again in a minute, and send fewer at once.'
const ordersNext = 'Cancel orders you no longer need, for example with cancel(all).'
const leverageNext = 'Use a lower leverage, or a smaller size.'

const binance: readonly VenueEntry[] = [
  of([-1002, -4087, -4088], 'Binance does not allow this key to do that.', keyNext),
  of([-1003, -1008, -1015, -1016, -1034], 'Binance is rate-limiting us.', waitNext),
  of([-1022], 'Wrong signature: the API secret does not belong to this key.', keyNext),
  of(
    [-1121],
    'Binance does not list this symbol on this market.',
    'Check the spelling and the market of the bot.',
  ),
  of([-1158, -4120], 'Binance does not support this order type for this symbol.', 'Use another command.'),
  of(
    [-1165, -1166, -1168, -1196, -1197, -1198, -1199],
    'The two prices must be on either side of the market.',
    'Put one leg above the market and the other below it.',
  ),
  of([-2014], 'This does not look like a Binance API key.', keyNext),
  of(
    [-2015],
    'Binance rejected the key: it is unknown, belongs to the other network, lacks a permission, or does not allow our IP address.',
    keyNext,
  ),
  of([-2018, -2019], 'Not enough margin for this order.', marginNext),
  of(
    [-2021, -4142],
    'The stop would trigger at once.',
    'A sell stop must be below the market, a buy stop above it.',
  ),
  of(
    [-2022, -4112, -4118],
    'A reduce-only order found no position to reduce.',
    'Check the side and the position.',
  ),
  of([-2025, -4045, -4130], 'The account has too many open or conditional orders.', ordersNext),
  of([-2027], 'The position would be larger than this leverage allows.', leverageNext),
  of([-2028], 'Not enough margin at this leverage.', leverageNext),
  of(
    [-4001, -4002, -4006, -4013, -4014, -4016, -4024, -4131, -4183, -4184, -4210, -4211],
    'The price is outside the range Binance allows now, or not a multiple of its price step.',
    priceNext,
  ),
  of([-4003], 'The size is smaller than one step.', 'Order more.'),
  of(
    [-4004, -4023],
    'The size is below the minimum, or not a multiple of the step.',
    'Order at least the minimum.',
  ),
  of([-4005], 'The size is above the maximum.', 'Split the order, or order less.'),
  of([-4028, -4161], 'This leverage cannot be set.', 'Use one the symbol allows, with no open position.'),
  of(
    [-4061, -4062, -4067, -4068],
    'The position side does not match the position mode, or the mode cannot change now.',
    'In hedge mode set positionSide=long or short. The mode can only change with no orders and positions.',
  ),
  of(
    [-4047, -4048, -4168],
    'The margin mode cannot change now.',
    'It can only change with no orders and positions in the symbol. Isolated margin needs single-asset mode.',
  ),
  of(
    [-4531],
    'With portfolio margin, the position mode is the same for all futures.',
    'Set it at Binance for the whole account.',
  ),
  of(
    [-4109, -4192],
    'The account cannot trade futures now: it is inactive or in a cooling-off period.',
    'Sign in to Binance and check what it asks for.',
  ),
  of(
    [-4401, -4402],
    "Binance does not allow futures for this account's region or verification level.",
    'Sign in to Binance and check what it asks for.',
  ),
  of([-4403], "The account's region does not allow this leverage.", leverageNext),
  of(
    [-4202, -4203, -4205, -4206, -4208, -4209],
    'This leverage is above the most that the account or the symbol may have now.',
    leverageNext,
  ),
  of(
    [-4189, -4408],
    'The account may only reduce positions now, under the rules of its region.',
    'Sign in to Binance and check what it asks for.',
  ),
  of(
    [-4105, -4106, -4107],
    'Binance restricts this symbol: positions may only be reduced, or traded to one side.',
    'Close what you need to, or use another symbol.',
  ),
  of(
    [-4400],
    'Binance has made this account reduce-only for now for breaking its trading rules.',
    'Close what you need to. The ban ends by itself.',
  ),
  of([-4108, -4140, -4141], 'Trading in this symbol is suspended.', 'Wait, or use another symbol.'),
  of([-4164], 'The value of the order is below the minimum.', 'Order more. Reduce-only orders are exempt.'),
  of(
    [-5021],
    'The order cannot be filled completely at this price, and it was all or nothing.',
    'Order less, or allow another price.',
  ),
  of([-5028], "The order reached Binance's matching engine too late and was rejected.", 'Send it again.'),
  of([-5022], 'A post-only order would have traded at once.', 'Move the price away from the market.'),
]

const bybit: readonly VenueEntry[] = [
  of(
    [-2015, 10003],
    'Bybit does not know this key: it was deleted, mistyped, or belongs to the other network.',
    keyNext,
  ),
  of([10004], 'Wrong signature: the API secret does not belong to this key.', keyNext),
  of([10005, 170201], 'The key lacks permission to trade this market.', keyNext),
  of([10010], "This key's IP allowlist does not include our address.", keyNext),
  of(
    [10007, 10008, 10009, 10024, 10027, 10028, 10029, 33004],
    'Bybit blocks this account or key: it is expired, restricted or banned.',
    keyNext,
  ),
  of([429, 10006, 10018, 10403, 10429, 20003, 170005, 170222], 'Bybit is rate-limiting us.', waitNext),
  of([110013, 110085, 110086], 'This leverage cannot be set.', 'Use one the symbol allows.'),
  of(
    [170121, 170221],
    'Bybit does not list this symbol on this market.',
    'Check the spelling and the market of the bot.',
  ),
  of(
    [
      ...[30228, 110023, 110042, 110063, 110066, 110074, 110103, 110118],
      ...[170151, 170157, 170159, 170209, 170217],
    ],
    'Trading in this symbol is suspended or reduce-only.',
    'Wait until trading resumes, or use another symbol.',
  ),
  of(
    [110024, 110028],
    'The position mode cannot change now.',
    'The mode can only change with no orders and positions in the symbol.',
  ),
  of(
    [110073, 3400045],
    'The margin mode cannot change now.',
    'Check at Bybit what blocks it: orders, positions or a loan.',
  ),
  of(
    [110123, 110124, 110125, 110132],
    'Bybit does not allow this account to trade this: terms not accepted, a cooling-off period, or its region.',
    'Sign in to Bybit and check what it asks for.',
  ),
  of(
    [100028, 110029, 110036, 110038, 170145, 170227],
    'The account or the symbol does not support this.',
    'Use another command, or another account type.',
  ),
  of([170137, 170148], 'The size has more decimals than the symbol allows.', 'Use a multiple of the step.'),
  of([170136], 'The size is below the minimum.', 'Order at least the minimum.'),
  of(
    [
      ...[110016, 110021, 110090, 170124, 170135, 170197, 170198, 170199, 170200],
      ...[170228, 170229, 170341, 170381, 170382],
    ],
    'The order or the position would be above the maximum.',
    'Split the order, or order less.',
  ),
  of([110094, 170140], 'The value of the order is below the minimum.', 'Order more.'),
  of(
    [
      ...[110004, 110006, 110007, 110012, 110014, 110044, 110045, 110051, 110052, 110053],
      ...[170033, 170034, 170131, 170223, 170226],
    ],
    'Not enough balance or margin for this order.',
    marginNext,
  ),
  of(
    [110092, 110093],
    'The trigger price is on the wrong side of the market.',
    'A sell stop must be below the market, a buy stop above it.',
  ),
  of(
    [
      ...[30208, 30209, 110003, 110120, 110121, 170132, 170133, 170134, 170192, 170193, 170194],
      ...[170203, 170204, 170206, 170371, 170372],
    ],
    'The price is outside the range Bybit allows now, or not a multiple of its price step.',
    priceNext,
  ),
  of([170218], 'A post-only order would have traded at once.', 'Move the price away from the market.'),
  of(
    [110017, 110034],
    'A reduce-only order found no position to reduce.',
    'Check the side and the position.',
  ),
  of(
    [110009, 110020, 110061, 170810, 170811, 170812, 170813],
    'The account has too many open or conditional orders.',
    ordersNext,
  ),
]

const okx: readonly VenueEntry[] = [
  of(
    [
      50007, 50012, 50027, 50028, 50029, 50030, 50100, 50101, 50105, 50110, 50111, 50113, 50114, 50119, 50120,
      50121,
    ],
    'OKX does not take this key, or does not allow it to do that.',
    keyNext,
  ),
  of(
    [51009, 51024, 51155],
    'OKX restricts this account or this symbol.',
    'Sign in to OKX and check what it asks for.',
  ),
  of([50011, 50040, 50061, 51113], 'OKX is rate-limiting us.', waitNext),
  of(
    [50038, 51010],
    'The account mode of OKX does not have this.',
    'Set the account to Futures mode at OKX.',
  ),
  of(
    [51000],
    'OKX does not take a parameter of the order.',
    'If it is posSide or tdMode, set the account to Futures mode with net positions at OKX.',
  ),
  of(
    [51001],
    'OKX does not list this symbol on this market.',
    'Check the spelling and the market of the bot.',
  ),
  of(
    [51021, 51022, 51027, 51028, 51029, 51030, 51087, 51124, 51196, 51197],
    'The exchange has suspended or limited trading in this symbol.',
    'Wait, or use another symbol.',
  ),
  of(
    [50122, 51007, 51020, 51120, 51121, 51150],
    'The size is below the minimum, or not a multiple of the step.',
    'Order at least the minimum.',
  ),
  of(
    [
      51004, 51005, 51033, 51101, 51104, 51105, 51106, 51107, 51108, 51129, 51185, 51187, 51201, 51202, 51203,
      51252, 51275,
    ],
    'The size, or the position with it, is above the maximum.',
    'Split the order, or order less.',
  ),
  of([51118], 'The value of the order is below the minimum.', 'Order more.'),
  of([51008, 51119, 51127, 51131, 59103, 59108, 59109], 'Not enough balance or margin.', marginNext),
  of(
    [
      51046, 51047, 51048, 51049, 51050, 51051, 51052, 51053, 51277, 51278, 51279, 51280, 51300, 51302, 51303,
      51304, 51305, 51306, 51307, 51308,
    ],
    'The stop would trigger at once.',
    'A sell stop must be below the market, a buy stop above it.',
  ),
  of(
    [51006, 51031, 51116, 51122, 51135, 51136, 51137, 51138, 51250],
    'The price is outside the range OKX allows now.',
    priceNext,
  ),
  of(
    [51023, 51058, 51112, 51148, 51169, 51170, 51205, 51206],
    'A reduce-only order found less to reduce than it asks for.',
    'Check the side and the position.',
  ),
  of(
    [51025, 51102, 51103, 51117, 51174, 51261, 51299],
    'The account has too many open or conditional orders.',
    ordersNext,
  ),
  of([51186, 59102, 59105], 'This leverage cannot be set.', 'Use one the symbol allows.'),
  of(
    [59000, 59101, 59107, 59112, 59668, 59669, 59670],
    'The setting cannot change now.',
    'It can only change with no orders and positions in the symbol.',
  ),
]

const families: Record<VenueFamily, ReadonlyMap<number, HelpEntry>> = {
  binance: byNumber(binance),
  bybit: byNumber(bybit),
  okx: byNumber(okx),
}

/** Returns the meaning of an exchange's own number, if it is known. */
export function venueHelp(family: VenueFamily, code: number): HelpEntry | undefined {
  return families[family].get(code)
}

function of(codes: readonly number[], cause: string, next: string): VenueEntry {
  return { codes, cause, next }
}

function byNumber(entries: readonly VenueEntry[]): Map<number, HelpEntry> {
  return new Map(entries.flatMap(({ codes, cause, next }) => codes.map((code) => [code, { cause, next }])))
}
