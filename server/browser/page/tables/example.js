// A small table to look around in, for who has none.

import { call } from '../client.js';
import { waitUntilActive } from './table_state.js';

const kTable = 'Music';
const kSongs = [
  ['Nina Simone', 'Sinnerman', 1965, 622, ['jazz', 'spiritual']],
  ['Nina Simone', 'Feeling Good', 1965, 174, ['jazz']],
  ['Can', 'Vitamin C', 1972, 214, ['krautrock']],
  ['Can', 'Halleluhwah', 1971, 1112, ['krautrock', 'funk']],
  ['Fela Kuti', 'Zombie', 1976, 745, ['afrobeat']],
  ['Fela Kuti', 'Water No Get Enemy', 1975, 651, ['afrobeat', 'jazz']],
  ['Björk', 'Jóga', 1997, 305, ['electronic']],
  ['Mercedes Sosa', 'Gracias a la vida', 1971, 259, ['folk']],
];

function itemOf([artist, title, year, seconds, styles]) {
  return {
    artist: { S: artist },
    title: { S: title },
    year: { N: String(year) },
    seconds: { N: String(seconds) },
    styles: { SS: styles },
    release: { M: { live: { BOOL: false }, tracks: { L: [{ N: '1' }, { S: 'A side' }] } } },
  };
}

const keys = (hash, range) => [
  { AttributeName: hash, KeyType: 'HASH' }, { AttributeName: range, KeyType: 'RANGE' },
];

// -> the error of what failed, or null
export async function makeExample() {
  const made = await call('CreateTable', {
    TableName: kTable,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [['artist', 'S'], ['title', 'S'], ['year', 'N']]
      .map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    KeySchema: keys('artist', 'title'),
    GlobalSecondaryIndexes: [
      { IndexName: 'byYear', KeySchema: keys('year', 'title'), Projection: { ProjectionType: 'ALL' } },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  if (made.error) return made.error;
  await waitUntilActive(kTable);
  const requests = kSongs.map((song) => ({ PutRequest: { Item: itemOf(song) } }));
  return (await call('BatchWriteItem', { RequestItems: { [kTable]: requests } })).error;
}
