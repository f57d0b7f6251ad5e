/** Tags of a TIFF directory by which camera raw files are told: those of DNG, of sensor data, and of other pictures in it. */
const DNG_VERSION = 0xc612;
const PHOTOMETRIC = 0x0106;
const SUBFILE_TYPE = 0x00fe;
const SUB_DIRECTORIES = 0x014a;
/** Values of `PHOTOMETRIC`: a colour filter array, linear raw. */
const SENSOR_DATA = new Set([32_803, 34_892]);
const REDUCED = 1;

/**
 * Returns whether a TIFF is a camera raw file (DNG, CR2, NEF, ARW and others have its structure): the first picture of such a
 * file is a small preview, or data of the sensor.
 */
export function isRawPhoto(bytes: Uint8Array): boolean {
  // Canon puts its mark behind the header.
  if (bytes[8] === 0x43 && bytes[9] === 0x52) return true;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const at = bytes.length >= 8 ? view.getUint32(4, little) : 0;
  if (at + 2 > bytes.length) return false;
  const count = view.getUint16(at, little);
  const values = new Map<number, number>();
  for (let entry = at + 2; entry < at + 2 + 12 * count && entry + 12 <= bytes.length; entry += 12) {
    // A value of type SHORT fills the first half of its field.
    const isShort = view.getUint16(entry + 2, little) === 3;
    const value = isShort ? view.getUint16(entry + 8, little) : view.getUint32(entry + 8, little);
    values.set(view.getUint16(entry, little), value);
  }
  const isPreview = values.has(SUB_DIRECTORIES) && ((values.get(SUBFILE_TYPE) ?? 0) & REDUCED) !== 0;
  return values.has(DNG_VERSION) || SENSOR_DATA.has(values.get(PHOTOMETRIC) ?? 0) || isPreview;
}
