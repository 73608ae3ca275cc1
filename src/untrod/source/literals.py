from untrod.output.literals import *
