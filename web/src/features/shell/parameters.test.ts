import { expect, it } from 'vitest';
import { readParameters } from './parameters.ts';

it('[R-2.query.8] action=upload and showCropper ask for the upload dialog', () => {
  expect(readParameters('?action=upload').upload).toEqual({ deviceTypeId: undefined });
  expect(readParameters('?showCropper').upload).toEqual({ deviceTypeId: undefined });
  expect(readParameters('?showCropper=true').upload).toEqual({ deviceTypeId: undefined });
  expect(readParameters('?showCropper=false').upload).toBeNull();
  expect(readParameters('?action=other').upload).toBeNull();
});

it('[R-2.query.10] device_type_id asks for it with that device type', () => {
  expect(readParameters('?device_type_id=4').upload).toEqual({ deviceTypeId: 4 });
  expect(readParameters('?device_type_id=x').upload).toEqual({ deviceTypeId: undefined });
});

it('[R-8.other.3] [R-2.query.7] takes what was acted upon out of the address and leaves the rest', () => {
  expect(readParameters('?a=1&alert=Hello&lang=ja&action=upload&b=2')).toMatchObject({
    alert: 'Hello',
    rest: '?a=1&b=2',
  });
  expect(readParameters('?alert=Hello').rest).toBe('');
  expect(readParameters('?a=%20b').rest).toBe('?a=%20b');
});

it('caps the text that a link may put on the screen', () => {
  expect(readParameters(`?alert=${'x'.repeat(5000)}`).alert).toHaveLength(200);
});
