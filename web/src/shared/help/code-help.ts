import type { DiagnosticCode, RefusalCode } from '@tripline/proto/error-code'

/** Why something did not happen, and what a person does about it. */
export interface HelpEntry {
  cause: string
  next: string
}

/** The help for every code that a message or a command can end with. */
export const diagnosticHelp: Record<DiagnosticCode, HelpEntry> = {
  E101: entry(
    'The message contains no block of commands.',
    'Write Bot(SYMBOL) { ... } with at least one command between the braces.',
  ),
  E102: entry(
    'A block is not closed.',
    'Add the missing }. After # or // on its line it is part of a comment.',
  ),
  E103: entry(
    'The commands in braces have no bot and symbol before them.',
    'Put a bot label and a symbol in front: MyBot(BTCUSDT) { ... }.',
  ),
  E104: entry('The block is empty.', 'Put a command between the braces, or remove the block.'),
  E105: entry('Unknown word in the block.', 'Remove it or comment it out with #.'),
  E106: entry('A parenthesis is not closed.', 'Add the missing ) at the end of the command.'),
  E107: entry('A quote is not closed on its line.', 'Close or remove the quote.'),
  E108: entry(
    'A placeholder was not filled in by the charting platform.',
    'Strategy placeholders are only filled in for strategy alerts, and never in the text of alert().',
  ),
  E109: entry(
    'The message exceeds a limit (size, blocks, commands or depth).',
    'Split it into several alerts.',
  ),
  E110: entry('An argument is empty, or written with a colon.', 'Write values in order, or as name=value.'),
  E111: entry(
    'This command takes no braces.',
    'Only oco has legs in braces. Put other commands one after the other.',
  ),
  E201: entry(
    'The message names a bot that you do not have.',
    'Use the label exactly as on the API Keys page.',
  ),
  E202: entry('No command has this name.', 'Check the spelling against the list of commands.'),
  E203: entry(
    'This command belongs to another product.',
    'Use the equivalent command; the error names it where there is one.',
  ),
  E204: entry(
    'Conditions in messages are not supported: ignoring one would be dangerous.',
    'Decide in the alert itself and send only the commands to run.',
  ),
  E205: entry('The command has no parameter of this name.', 'Check the spelling of the parameter.'),
  E206: entry(
    'Too many values for this command.',
    'Write the others by name. Numbers take no thousands separators.',
  ),
  E207: entry('A parameter is given twice.', 'Remove one of the two.'),
  E208: entry('A required parameter is missing.', 'Add it as the error shows.'),
  E209: entry('Two parameters contradict each other.', 'Keep the one you mean.'),
  E210: entry('An oco needs at least two legs.', 'Add a second limit or stop between its braces.'),
  E211: entry('Only limit and stop orders can be OCO legs.', 'Move the other command out of the oco.'),
  E212: entry('The oco has no legs.', 'Write oco { stop(...); limit(...) }.'),
  E213: entry('An unnamed value follows a named one.', 'Put unnamed values first, or name all of them.'),
  E301: entry('The side is neither buy nor sell.', 'Write buy or sell.'),
  E302: entry(
    'A value is not a number, often because a placeholder was empty.',
    'Check what the alert fills in here.',
  ),
  E303: entry('Unknown size unit.', 'Use base units (0.01), percent (50%) or a quote value (100$).'),
  E304: entry(
    'The size is zero or negative.',
    'To sell, use side=sell. To end up short, use position=-0.01.',
  ),
  E305: entry(
    'The price is not valid.',
    'Use a number (58000), an offset (1%, +1%, -1%) or an offset from the entry (e2%).',
  ),
  E306: entry(
    'An offset is negative.',
    'Offsets are measured away from the market for the side. For the other direction use price=+1% or price=-1%.',
  ),
  E307: entry('The value must be true or false.', 'Write true or false.'),
  E308: entry('The value is not one of the choices.', 'Use one of those listed in the error.'),
  E309: entry('The duration is not valid, or longer than 24 hours.', 'Write 10s, 2m or 1h.'),
  E310: entry(
    'The leverage is higher than this symbol allows.',
    'Use a lower one. The exchange lists the maximum for each symbol.',
  ),
  E311: entry('The symbol is not valid.', 'Write it as BTCUSDT, BTC/USDT or BTCUSDT.P.'),
  E312: entry(
    'The tag, or the id of the order, is not valid.',
    'Use up to 16 letters, digits, - and _ in a tag; copy an id from the open orders.',
  ),
  E401: entry(
    "The symbol is not listed on this bot's market.",
    'Check the spelling, and whether the bot trades futures or spot.',
  ),
  E402: entry(
    'Trading in this symbol is suspended.',
    'Wait until the exchange resumes trading, or use another symbol.',
  ),
  E403: entry('This is a perpetual symbol but the bot trades spot.', 'Use a futures bot or drop the .P.'),
  E404: entry(
    "Not available on this market, or the bot's exchange cannot be reached.",
    'The error says which. Use a bot on a market that has it, or send again once the exchange answers.',
  ),
  E405: entry(
    "The position side does not match the account's position mode.",
    'In hedge mode set positionSide=long or short; in one-way mode leave it out. OKX accounts have to hold net positions.',
  ),
  E406: entry(
    'The exchange rejected the API key for this action.',
    'Run Test under API Keys: it shows whether the key, the IP address or a permission is wrong.',
  ),
  E407: entry(
    'The alert came in at a close-only address, which only closes positions and cancels entries.',
    'Send closing commands there, such as market(position=0). Send everything else to the webhook URL.',
  ),
  E501: entry(
    'The size is smaller than one step of this symbol.',
    'Order more. The error shows the step and how the size was calculated.',
  ),
  E502: entry('The size is below the minimum of this symbol.', 'Order at least the minimum quantity.'),
  E503: entry('The size is above the maximum of this symbol.', 'Split the order, or order less.'),
  E504: entry(
    'The value of the order is below the minimum of this symbol.',
    'Order more. The error shows the minimum.',
  ),
  E505: entry(
    'The size is a percentage of a position, and there is none.',
    'Open a position first, or use a fixed size.',
  ),
  E506: entry(
    'Not enough balance or margin for this order.',
    'Order less, add funds, or close something first.',
  ),
  E507: entry(
    'The stop price is on the wrong side of the market and would trigger at once.',
    'A sell stop must be below the market, a buy stop above it.',
  ),
  E508: entry(
    'The price is farther from the market than the exchange allows, or the order would trade at once at a price that is probably a mistake.',
    'A plain number is an absolute price. Write a distance as offset=1%.',
  ),
  E509: entry(
    'A post-only order would have traded at once.',
    'Move the price away from the market, or remove postOnly.',
  ),
  E510: entry(
    'A reduce-only order would have opened or increased a position.',
    'Check the side and whether the position is still open.',
  ),
  E511: entry(
    'OCO prices must be on either side of the market.',
    'Put one leg above the market and the other below it.',
  ),
  E512: entry(
    'A price is relative to the entry, and there is no position.',
    'Open a position first, or use another price.',
  ),
  E513: entry(
    'The account has too many open orders on this symbol.',
    'Cancel orders you no longer need, for example with cancel(all).',
  ),
  E514: entry(
    'There is no recent price for this symbol, so the order cannot be sized.',
    'Send it again in a moment. Test under API Keys shows whether the exchange responds.',
  ),
  E515: entry(
    "The alert was older than this bot's limit, so the entry was skipped.",
    'Check whether it still makes sense. Change the limit under API Keys > Trading.',
  ),
  E516: entry(
    'The bot is halted or reduce-only, or trading is paused for all bots.',
    'Set its trading state to active under API Keys, or resume trading for all bots.',
  ),
  E517: entry(
    "The order exceeds this bot's maximum order value.",
    'Order less, or raise the limit under API Keys > Trading.',
  ),
  E518: entry(
    'Too many alerts are already waiting.',
    'Wait for some to finish, or send the later part as a separate alert.',
  ),
  E519: entry(
    'This entry was held up while the exchange did not answer, and a later exit on the same market ran first. It would have reopened the position, so it was not sent.',
    'Check the position, and send it again if you still want it.',
  ),
  E601: entry(
    'The exchange rejected the command, or could not be reached.',
    'The documentation of the exchange explains its own message and number, where there is one. Otherwise try again in a minute.',
  ),
  E602: entry(
    'No answer from the exchange: the order may or may not be live.',
    'Check the exchange before resending. The outcome is added here once it is known.',
  ),
  E603: entry(
    'The exchange is rate-limiting us, or there was no connection to it. Nothing was done.',
    'Send it again in a minute, and send fewer at once.',
  ),
  E604: entry(
    'Only part of the group could be placed. A stop that protects a position is kept; orders that protect nothing were cancelled again.',
    'The response lists what is open and what was cancelled. Send what is missing again, or cancel and start over.',
  ),
  E605: entry(
    'The command failed because of an error on our side.',
    'Check the exchange before resending, and send us the execution ID.',
  ),
  E606: entry(
    'The alert was accepted, and then the storage of alerts lost it. Nothing of it is known to have run.',
    'Check the exchange. Send the alert again only if nothing of it is there and it still makes sense.',
  ),
  W701: entry('A target position is given, so side and amount are ignored.', 'Remove them.'),
  W702: entry('The OCO legs differ in size.', 'Give both the same size, unless this is intended.'),
  W703: entry('The limit price crosses the market, so it trades at once.', 'Nothing, if this is intended.'),
  W704: entry('Rounding to the step changed the size by more than 1%.', 'Use a size that fits the step.'),
  W705: entry(
    'The size is more than there is. It was reduced to what is available, or the order only reduces and closes what is held.',
    'Order less if the exact size matters.',
  ),
  W707: entry(
    'The order waits at a price far from the market.',
    'Nothing, if this is intended. A plain number is an absolute price. Write a distance as offset=1%.',
  ),
  W708: entry(
    'The exchange filled a part of the order and ended the rest.',
    'Look at the position. To close what is left, send the exit again; to have the whole size, send the rest.',
  ),
  W709: entry(
    'An exit that was taken back for a sale does not stand again as it was.',
    'Look at what is left of the position. The warning says whether it was sold at once, as the price had passed the stop, or has no exit now.',
  ),
  N801: entry('This block is commented out and was not run.', 'Uncomment it to run it.'),
  N802: entry('Nothing to do: it was already done.', 'Nothing.'),
  N803: entry(
    "What is left of the position is below the exchange's minimum order, so there is nothing to close.",
    'Nothing. It is closed with the next exit.',
  ),
  N804: entry(
    'The position is already closed, so no order was placed. The result says what closed it.',
    'Nothing. The next plain percentage opens a position again; 50%b is always a percentage of equity.',
  ),
}

/** The help for alerts that were refused before they were read. */
export const refusalHelp: Partial<Record<RefusalCode, HelpEntry>> = {
  unreadable_message: entry(
    'The request body is not a message.',
    'Send the message as text, or JSON with a "message" field.',
  ),
  webhook_inactive: entry('The webhook is off.', 'Turn it on under Webhook.'),
  message_too_large: entry('The message is larger than 64 KiB.', 'Split it into several alerts.'),
  rate_limited: entry(
    'More messages than a limit allows, which the error names: of alerts at the webhook, or of what your own session sends.',
    "Raise the webhook's limit under Webhook (up to 60 per minute), or send fewer. That of your session stays: wait as long as the error says.",
  ),
  unsupported: entry('A bot, a market or a setting does not allow this message.', 'The error says which.'),
  unavailable: entry(
    'Something went wrong on our side before the alert was stored.',
    'Check the history before sending it by hand.',
  ),
  not_durable: entry(
    'We could not confirm that the alert was stored.',
    'Look for its ID in the history before sending it by hand.',
  ),
}

function entry(cause: string, next: string): HelpEntry {
  return { cause, next }
}
