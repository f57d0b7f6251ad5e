import type { Plane } from '../depth/plane.ts';
import { encodeHevcStill, type HevcStill } from '../encode/hevc-still.ts';
import { box, fullBox, u16, u32 } from '../encode/iso-boxes.ts';

/** Transformations of a HEIC item, stored as its own properties: counter-clockwise quarter turns, then a mirror. */
export interface HeicTurn {
  readonly quarters?: 0 | 1 | 2 | 3;
  /** 0: about the vertical axis, left to right. 1: top to bottom. */
  readonly mirror?: 0 | 1;
}

export interface HeicPicture extends HeicTurn {
  /** Brightness 0 … 1 as stored, with even sides; encoded as grey HEVC. */
  readonly grey: Plane;
}

export interface HeicAuxiliary extends HeicPicture {
  /** URN in `auxC`. */
  readonly type: string;
  readonly xmp?: string;
}

export const DEPTH_URN = 'urn:mpeg:hevc:2015:auxid:2';

/** Builds a HEIC as written by phones: a primary picture and its auxiliary pictures (ISO/IEC 23008-12). */
export async function heicFile(picture: HeicPicture, auxiliaries: readonly HeicAuxiliary[] = []): Promise<Buffer> {
  const images = [picture, ...auxiliaries];
  const streams: HevcStill[] = [];
  for (const { grey } of images) streams.push(await encodeHevc(grey));
  const texts = auxiliaries.flatMap(({ xmp }, i) => (xmp === undefined ? [] : [{ xmp: Buffer.from(xmp), of: i + 2 }]));
  const data = [...streams.map(({ samples }) => samples), ...texts.map(({ xmp }) => xmp)];

  const properties: Buffer[] = [];
  const add = (property: Buffer) => properties.push(property);
  const links = images.map((image, i) => {
    const { width, height } = image.grey;
    const own = [
      add(fullBox('ispe', 0, u32(width, height))),
      0x80 | add(box('hvcC', (streams[i] as HevcStill).record)),
    ];
    if ('type' in image) own.push(0x80 | add(fullBox('auxC', 0, Buffer.from(`${image.type}\0`))));
    if (image.quarters) own.push(0x80 | add(box('irot', Buffer.from([image.quarters]))));
    // The `imir` axis values are swapped: 0 is top to bottom, 1 left to right.
    if (image.mirror !== undefined) own.push(0x80 | add(box('imir', Buffer.from([image.mirror === 0 ? 1 : 0]))));
    return Buffer.concat([u16(i + 1), Buffer.from([own.length, ...own])]);
  });
  const items = [
    ...images.map((_, i) => fullBox('infe', 2 << 24, u16(i + 1, 0), Buffer.from('hvc1\0'))),
    ...texts.map((_, i) =>
      fullBox('infe', 2 << 24, u16(images.length + 1 + i, 0), Buffer.from('mime\0application/rdf+xml\0')),
    ),
  ];
  const references = [
    ...auxiliaries.map((_, i) => box('auxl', u16(i + 2, 1, 1))),
    ...texts.map(({ of }, i) => box('cdsc', u16(images.length + 1 + i, 1, of))),
  ];
  const metaAt = (first: number) => {
    let at = first;
    const places = data.map((bytes, i) => {
      const entry = Buffer.concat([u16(i + 1, 0, 1), u32(at, bytes.length)]);
      at += bytes.length;
      return entry;
    });
    return fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, u16(1)),
      fullBox('iinf', 0, u16(items.length), ...items),
      ...(references.length > 0 ? [fullBox('iref', 0, ...references)] : []),
      box('iprp', box('ipco', ...properties), fullBox('ipma', 0, u32(links.length), ...links)),
      fullBox('iloc', 0, Buffer.from([0x44, 0]), u16(places.length), ...places),
    );
  };
  const head = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic'));
  const first = head.length + metaAt(0).length + 8;
  return Buffer.concat([head, metaAt(first), box('mdat', ...data)]);
}

/** Encodes a grey picture. */
function encodeHevc({ data, width, height }: Plane): Promise<HevcStill> {
  const planes = new Uint8Array((width * height * 3) / 2).fill(128);
  for (let i = 0; i < data.length; i++) planes[i] = Math.round((data[i] as number) * 255);
  return encodeHevcStill(planes, { width, height }, { preset: 'ultrafast', crf: 8 });
}
