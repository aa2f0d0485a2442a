// The tokens of PartiQL, and the words that are no names of attributes unless quoted.

const kReserved = new Set(`
  and between in is like not or missing null true false returning remove all old new modified
  absolute action add all allocate alter any are assertion authorization avg bag begin bigint bit bit_length blob bool
  boolean can_cast can_lossless_cast cascade cascaded case cast catalog char char_length character character_length
  check clob close coalesce collate collation column commit conflict connect connection constraint constraints
  continue convert corresponding count create cross current current_date current_time current_timestamp current_user
  cursor date date_add date_diff deallocate dec decimal declare default deferrable deferred delete describe descriptor
  diagnostics disconnect distinct do domain double drop else end escape exception exec execute exists external extract
  fetch float foreign found from full get global go goto grant group having identity immediate index indicator
  initially inner input insensitive insert int integer interval into isolation join key language left let level limit
  list local lower match max min modified module names national natural nchar new next no nothing nullif numeric
  octet_length of offset old on only open option order outer output overlaps pad partial pivot position precision
  prepare preserve primary prior privileges procedure public read real references relative remove restrict returning
  revoke right rollback rows schema scroll section select session session_user set sexp size smallint some space sql
  sqlcode sqlerror sqlstate string struct substring sum symbol system_user table temporary then time timestamp to
  transaction translate translation trim tuple unique unknown unpivot update upper usage user using value values
  varchar varying view when whenever where with work write zone
`.trim().split(/\s+/));

// As it stands in a statement: quoted where it must be.
export function nameText(name) {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !kReserved.has(name.toLowerCase()) ? name : quotedName(name);
}

export const quotedName = (name) => `"${name.replaceAll('"', '""')}"`;

const kTokens = [
  ['space', /\s+/y],
  ['comment', /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y],
  ['string', /'(?:[^']|'')*(?:'|$)/y],
  ['quoted', /"(?:[^"]|"")*(?:"|$)/y],
  ['number', /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['word', /[A-Za-z_$\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y],
  ['symbol', /<<|>>|<=|>=|<>|!=|\|\||[\s\S]/y],
];

// [{type, text, from, to, value}]: value is a name without quotes, a word in capital letters.
export function tokensOf(text) {
  const tokens = [];
  for (let at = 0; at < text.length;) {
    for (const [type, pattern] of kTokens) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (!match) continue;
      tokens.push({ type, text: match[0], from: at, to: pattern.lastIndex, value: valueOf(type, match[0]) });
      at = pattern.lastIndex;
      break;
    }
  }
  return tokens;
}

function valueOf(type, text) {
  if (type === 'quoted') return text.replace(/^"|(?<=.)"$/g, '').replaceAll('""', '"');
  return type === 'word' ? text.toUpperCase() : text;
}

export const isKeyword = (token) => token.type === 'word' && kReserved.has(token.text.toLowerCase());
export const isName = (token) => token.type === 'quoted' || (token.type === 'word' && !isKeyword(token));
// The name as it is written: `value` of a word is in capital letters.
export const nameOf = (token) => (token.type === 'word' ? token.text : token.value);
