// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { i18next, setLanguage } from '../../i18n/index.ts';
import { aConfig } from '../../testing/config.ts';
import { answerCalls, list, showPage, success } from '../../testing/page.tsx';
import { CropStep } from './CropStep.tsx';
import { useDeviceTypeChoice } from './device-type-choice.ts';
import { costOf } from './price.ts';
import { startOfUpload, type UploadFlow } from './upload-flow.ts';

const device = {
  ...{ id: 1, name: 'TV', ratio: '16,9', format: 'hsbs', quilt: null },
  ...{ note: '', extendResolution: '2048,1536', is_actived: true, disparityBudget: 12 },
};
const effect = {
  ...{ id: 5, effect: '100%', device_type_id: null, media_type: null },
  ...{ is_activated: true, vip_required: false },
};
const balance = { points: 0, freePoints: 0 };
const payment = {
  balance,
  priceOf: () => 0,
  costOf: (prices: readonly number[]) => costOf(prices, balance),
  onWatchAd() {},
  onBuy() {},
};

/** The step of a photo whose halves are alike. */
function Step({ pair }: { pair: UploadFlow['pair'] }) {
  const frame = useDeviceTypeChoice(undefined, 'picture', true);
  const source = { width: 1600, height: 900 };
  const shown = { state: 'ready', url: 'blob:none', source, ground: null, pair: 'leftRight' } as const;
  const chosen = { file: new File(['bytes'], 'two.jpg'), kind: 'picture', shown } as const;
  const area = { x: 0, y: 0, width: 100, height: 100 };
  return (
    <CropStep
      chosen={chosen}
      flow={{ ...startOfUpload, step: 1, chosen, area, pair }}
      frame={frame}
      dispatch={() => {}}
      send={() => {}}
      beforeUpload={undefined}
      goOn={false}
      showOn={null}
      payment={payment}
    />
  );
}

for (const [pair, previews] of [
  [null, 0],
  ['flat', 1],
] as const)
  it(`a photo that may be two can be previewed once it is told what it is: ${pair ?? 'not told'}`, async () => {
    answerCalls(({ path }) => {
      if (path === '/config') return success(aConfig);
      return path === '/getDeviceType' ? success([device]) : list([effect]);
    });
    await i18next.loadNamespaces(['upload', 'depth']);
    await showPage(<Step pair={pair} />);
    await act(() => setLanguage('en'));
    expect(await screen.findByRole('slider', { name: '3D strength' })).toBeTruthy();
    expect(screen.getByLabelText('Two pictures in one')).toBeTruthy();
    expect(screen.queryAllByRole('button', { name: 'Preview your photo in 3D' })).toHaveLength(previews);
  });
