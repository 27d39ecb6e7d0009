/**
 * What a network's row shows of an attack besides its reading: pictures, what is told of
 * gradient and alarm, the steps, the curve over ε and the alarm.
 * @import { Attacked } from "./ask.js"
 */
import { setText } from "../../ui/dom.js";
import { mountCurve } from "../shared/curve.js";
import { mountAlarm } from "./alarm-pictures.js";
import { mountPair, mountSteps } from "./pictures.js";

/**
 * What one row shows besides its reading.
 * @param {HTMLElement} root filled
 * @param {(eps: number) => void} choose
 */
export function mountExtra(root, choose) {
  const pictures = document.createElement("div");
  pictures.className = "attack-pair";
  const told = document.createElement("div");
  told.className = "fine attack-told";
  const [gradient, both, alarm] = ["", "", ""].map(() => document.createElement("p"));
  told.append(gradient, both, alarm);
  const top = document.createElement("div");
  top.className = "attack-top";
  top.append(pictures, told);
  const holder = document.createElement("div");
  holder.className = "attack-curve";
  const stepsHolder = document.createElement("div");
  stepsHolder.className = "attack-path";
  stepsHolder.hidden = true;
  const alarmHolder = document.createElement("div");
  alarmHolder.className = "attack-alarm";
  alarmHolder.hidden = true;
  root.append(top, stepsHolder, holder, alarmHolder);
  const pair = mountPair(pictures);
  const steps = mountSteps(stepsHolder);
  return {
    curve: mountCurve(holder, choose),
    alarm: mountAlarm(alarmHolder),
    /** @param {string} words what both gradients do */
    tellBoth: (words) => setText(both, words),
    /**
     * @param {Attacked} found
     * @param {number} eps
     * @param {readonly [gradient: string, alarm: string]} words
     */
    show(found, eps, words) {
      pair.show(found, eps);
      steps.show(found, found.path, eps);
      setText(gradient, words[0]);
      setText(alarm, words[1]);
    },
  };
}
