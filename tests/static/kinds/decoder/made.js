export { scenes } from "../../compare/made.js";
