/* The script of the playground's worker. */
import {serveLearners} from './learner.js';

serveLearners(self);
